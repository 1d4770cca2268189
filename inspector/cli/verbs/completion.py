"""`completion SHELL`: the script that makes the TAB key know our words. It asks this program itself what may follow,
by the same verb with the line in `MCP_INSPECT_COMPLETE`, so it is never older than the parser."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator

from inspector.base.errors import Exit
from inspector.base.text import first_line
from inspector.cli.arguments import Arguments, Usage
from inspector.cli.output import Output
from inspector.cli.vocabulary import SHELLS

ASKED = "MCP_INSPECT_COMPLETE"
"""In it are the word that is being typed and then, each on a line of its own, those before it from the name of the
program on; of bash what it takes for the word, and the line up to the cursor. The answer is a line that says what else
the shell may offer (`files`, `folders`, `command`; `open` where the word goes on), and a line for each word, with its
meaning behind a tab where the shell shows it."""
_ABOUT = 80

BASH = """\
# mcp-inspect completion bash: source it from ~/.bashrc, or keep it as
# ~/.local/share/bash-completion/completions/mcp-inspect
_mcp_inspect() {
    local line kind= asked="$2"$'\\n'"${COMP_LINE:0:COMP_POINT}" program="${COMP_WORDS[0]/#\\~/$HOME}"
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
    done < <(MCP_INSPECT_COMPLETE="$asked" "$program" completion bash 2>/dev/null)
    case $kind in
        files | folders)
            compopt -o filenames 2>/dev/null
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(
                compgen -A "$([[ $kind == files ]] && echo file || echo directory)" -- "$2")
            ;;
        command)
            while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -A command -A file -- "$2")
            ;;
        open) compopt -o nospace 2>/dev/null ;;
    esac
}
complete -F _mcp_inspect mcp-inspect
"""

ZSH = """\
#compdef mcp-inspect
# mcp-inspect completion zsh: keep it as _mcp-inspect in a folder of $fpath, or source it from ~/.zshrc behind compinit
_mcp_inspect() {
    local line kind asked="${(Q)PREFIX}"$'\\n'"${(F)${(@Q)words[1,CURRENT-1]}}"
    local -a lines found told
    lines=("${(@f)$(MCP_INSPECT_COMPLETE="$asked" ${~${(Q)words[1]}} completion zsh 2>/dev/null)}")
    kind=$lines[1]
    for line in $lines[2,-1]; do
        found+=("${line%%$'\\t'*}")
        told+=("${line/$'\\t'/  -- }")
    done
    if [[ $kind == open ]]; then
        compadd -l -S '' -d told -a found
    elif (( $#found )); then
        compadd -l -d told -a found
    fi
    case $kind in
        files) _files ;;
        folders) _files -/ ;;
        command)
            local at=${words[(i)--]}
            shift $at words
            (( CURRENT -= at ))
            _normal
            ;;
    esac
}
if [[ $funcstack[1] == _mcp-inspect ]]; then _mcp_inspect "$@"; else compdef _mcp_inspect mcp-inspect; fi
"""

FISH = """\
# mcp-inspect completion fish: keep it as ~/.config/fish/completions/mcp-inspect.fish
function __mcp_inspect
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -lx MCP_INSPECT_COMPLETE (string join \\n -- "$current" $words | string collect)
    set -l lines ($words[1] completion fish 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path "$current"
        case folders
            __fish_complete_directories "$current"
        case command
            complete -C (string replace -r '^.*? -- ' '' -- (commandline -cp))
    end
    printf '%s\\n' $lines[2..]
end
complete -c mcp-inspect -f -a '(__mcp_inspect)'
"""

POWERSHELL = """\
# mcp-inspect completion powershell: add to $PROFILE:
#   mcp-inspect completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName mcp-inspect -ScriptBlock {
    param($word, $ast, $cursor)
    $words = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object {
        if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value }
        else { $_.Extent.Text }
    })
    $before = $env:MCP_INSPECT_COMPLETE
    try {
        $env:MCP_INSPECT_COMPLETE = (@($word.Trim("'").Trim('"')) + $words) -join "`n"
        $lines = @(& $ast.CommandElements[0].Extent.Text completion powershell 2>$null)
    }
    finally { $env:MCP_INSPECT_COMPLETE = $before }
    $lines | Select-Object -Skip 1 | ForEach-Object {
        $value, $told = $_ -split "`t", 2
        $shown = $value.Trim("'")
        [System.Management.Automation.CompletionResult]::new($value, $shown, 'ParameterValue', $told)
    }
}
"""
SCRIPTS = dict(zip(SHELLS, (BASH, ZSH, FISH, POWERSHELL), strict=True))


def run(arguments: Arguments) -> int:
    """Raises Usage for a shell that is not known."""
    shell = arguments.operands[0].lower()
    if shell not in SCRIPTS:
        raise Usage(f"there is no completion for {shell}; there is one for {', '.join(SHELLS)}")
    output = Output(arguments.output, None)
    asked = os.environ.get(ASKED)
    if asked is not None:
        output.text("\n".join(_answer(shell, asked)))
    elif arguments.json:
        output.document({"shell": shell, "script": SCRIPTS[shell]})
    else:
        output.text(SCRIPTS[shell].rstrip("\n"))
    return Exit.OK


def _answer(shell: str, asked: str) -> Iterator[str]:
    from inspector.cli.completing import offer

    current, _, typed = asked.partition("\n")
    words = typed.split("\n")
    cut = 0
    if shell == "bash":
        *words, whole = _split(typed)
        # bash takes `a=b` for three words, and puts what is chosen in the place of the last one.
        cut = len(whole) - len(current) if whole.endswith(current) else 0
        current = whole
    found = offer(words[1:], current)
    is_open = bool(found.words) and all(word.endswith(("=", ":")) for word, _ in found.words)
    yield "open" if is_open and not found.also else found.also or "words"
    for word, told in found.words:
        yield _spelled(shell, word[cut:], first_line(told), bare=found.also == "files")


def _spelled(shell: str, word: str, told: str, *, bare: bool) -> str:
    if shell == "bash":
        # Beside files bash itself quotes what is chosen.
        return word if bare else re.sub(r"([^\w@%+=:,./-])", r"\\\1", word)
    if shell == "powershell":
        plain = re.fullmatch(r"[\w@%+=:,./~*-]+", word)
        return f"{word if plain else _single(word)}\t{told[:_ABOUT] or word}"
    return f"{word}\t{told[:_ABOUT]}" if told else word


def _single(word: str) -> str:
    return "'" + word.replace("'", "''") + "'"


def _split(line: str) -> list[str]:
    """The words of a line of a shell, the last one as far as it was typed; never none."""
    for end in ("", "'", '"', "\\"):
        try:
            words = shlex.split(line + end)
        except ValueError:
            continue
        return words if words and not (line[-1:].isspace() and not end) else [*words, ""]
    return line.split(" ")
