"""The least Textual app: the floor of a first paint."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class Hello(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("ready to paint")


if __name__ == "__main__":
    Hello().run()
