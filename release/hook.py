"""What a release has beside the code: man page and completion scripts, made from the parser, and where it is from."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class Shared(BuildHookInterface[Any]):
    """Puts them where a prefix has such files: pipx links man pages, and shells look below /usr/local/share."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        for place, text in self._made().items():
            file = Path(self.root, "build", "share", place)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
            build_data["shared_data"][str(file)] = f"share/{place}"

    def _made(self) -> dict[str, str]:
        sys.path.insert(0, self.root)
        try:
            from inspector.cli.verbs.completion import SCRIPTS
            from release import manpage
        finally:
            sys.path.remove(self.root)
        return {
            "man/man1/mcp-inspect.1": manpage.page(),
            "bash-completion/completions/mcp-inspect": SCRIPTS["bash"],
            "zsh/site-functions/_mcp-inspect": SCRIPTS["zsh"],
            "fish/vendor_completions.d/mcp-inspect.fish": SCRIPTS["fish"],
        }


class Urls(MetadataHookInterface):
    """Of the repository whose workflow makes the release; a package that is built elsewhere names none."""

    def update(self, metadata: dict[str, Any]) -> None:
        server, repository = os.environ.get("GITHUB_SERVER_URL"), os.environ.get("GITHUB_REPOSITORY")
        if server and repository:
            home = f"{server}/{repository}"
            metadata["urls"] = {
                "Homepage": home,
                "Documentation": f"{home}/tree/main/docs",
                "Issues": f"{home}/issues",
            }
