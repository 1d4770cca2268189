"""The keyring of the system, as the place for what is secret of logins: one entry for each value."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

SERVICE = "mcp-inspect"


class NoKeyring(OSError):
    """A sentence: why there is none, and what helps."""


def read(name: str) -> str | None:
    """None where there is no such entry. Raises NoKeyring."""
    with _keyring() as keyring:
        value = keyring.get_password(SERVICE, name)
    return value if isinstance(value, str) else None


def write(name: str, value: str) -> None:
    """Raises NoKeyring."""
    with _keyring() as keyring:
        keyring.set_password(SERVICE, name, value)


def forget(name: str) -> None:
    """Raises NoKeyring; an entry that is not there is forgotten already."""
    with _keyring() as keyring:
        if keyring.get_password(SERVICE, name) is not None:
            keyring.delete_password(SERVICE, name)


def check() -> None:
    """Before anybody logs in for a token that cannot be kept. Raises NoKeyring."""
    with _keyring() as keyring:
        if keyring.get_keyring().priority <= 0:
            raise NoKeyring(
                'there is no keyring that can be used here; "tokens": "file" in settings.json keeps tokens in a '
                "private file"
            )


@contextmanager
def _keyring() -> Iterator[Any]:
    try:
        import keyring
    except ImportError:
        raise NoKeyring(
            'the keyring needs the package keyring, which is not installed: pip install "mcp-inspect[keyring]", or '
            '"tokens": "file" in settings.json'
        ) from None
    try:
        yield keyring
    except NoKeyring:
        raise
    except Exception as error:
        # Backends raise what they like: a locked keyring, a service that is not there, a value that is too long.
        told = str(error) or type(error).__name__
        raise NoKeyring(f"the keyring does not answer: {told}") from error
