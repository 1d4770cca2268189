"""What a web address that somebody else wrote leads to, taken apart before it is opened."""

from __future__ import annotations

import ipaddress
import unicodedata
from dataclasses import dataclass
from urllib.parse import SplitResult, urlsplit

from inspector.base.text import visible

_USUAL = {"http": 80, "https": 443}
_LOCAL = (".local", ".internal", ".lan", ".home.arpa")
_LONG = 2000


@dataclass(frozen=True, slots=True)
class Weblink:
    """`host` as written, and `decoded` as it reads where it is punycode. `remarks` are sentences about what to look at
    twice; what they quote is foreign. One that is not `openable` is nothing for a browser: `why` says so."""

    scheme: str
    host: str
    decoded: str
    remarks: tuple[str, ...]
    why: str = ""

    @property
    def openable(self) -> bool:
        return not self.why


def examine(url: str) -> Weblink:
    """Takes any text. Nothing is resolved or fetched."""
    if any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") or char.isspace() for char in url):
        return Weblink("", "", "", (), "it has blanks or characters in it that cannot be seen")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        return Weblink("", "", "", (), f"it cannot be read: {error}")
    scheme = parts.scheme.lower()
    if scheme not in _USUAL:
        named = f"is {visible(scheme)}:" if scheme else "has no scheme"
        return Weblink(scheme, host, "", (), f"only http: and https: are opened, this {named}")
    if not host:
        return Weblink(scheme, host, "", (), "it names no host")
    if "\\" in url:
        return Weblink(
            scheme, host, "", (), "there is a backslash in it, which browsers read in their own way"
        )
    decoded = _decoded(host)
    remarks = [*_spelling(host, decoded), *_place(host), *_rest(parts, port, url)]
    return Weblink(scheme, host, decoded if decoded != host else "", tuple(remarks))


def _decoded(host: str) -> str:
    labels = []
    for label in host.split("."):
        if label.startswith("xn--"):
            try:
                label = label[4:].encode("ascii").decode("punycode")
            except UnicodeError:
                pass
        labels.append(label)
    return ".".join(labels)


def _spelling(host: str, decoded: str) -> list[str]:
    remarks = []
    if decoded != host:
        remarks.append(f"the host is written in punycode and reads {decoded}")
    if not decoded.isascii():
        scripts = {unicodedata.name(char, "?").split(" ")[0] for char in decoded if char.isalpha()}
        mixed = (
            f", of {' and '.join(sorted(script.title() for script in scripts))} mixed"
            if len(scripts) > 1
            else ""
        )
        remarks.append(f"the host has letters beyond a to z, which may look like others{mixed}")
    return remarks


def _is_here(host: str) -> bool:
    """Whether what is sent there stays on this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _place(host: str) -> list[str]:
    if _is_here(host):
        return ["the host is this machine"]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        if host.endswith(_LOCAL) or "." not in host:
            return ["the host is on this machine or in this network"]
        if all(part.isdigit() or part.startswith("0x") for part in host.split(".")):
            return ["the host is a number, as browsers read them: nobody knows whose"]
        return []
    if address.is_unspecified:
        return ["the host is this machine"]
    if address.is_private or address.is_link_local:
        return ["the host is an address of a private network"]
    return ["the host is an address, not a name"]


def _rest(parts: SplitResult, port: int | None, url: str) -> list[str]:
    remarks = []
    # Programs of this machine have no certificate and a port of their own: that is nothing to look at twice.
    here = _is_here(parts.hostname or "")
    if parts.scheme.lower() == "http" and not here:
        remarks.append("http: what is entered there goes unencrypted")
    if parts.username is not None or parts.password is not None:
        name, colon, _ = parts.netloc.rpartition("@")[0].partition(":")
        password = ":***" if colon else ""
        remarks.append(f"before the @ stands {name}{password}, which is not the host")
    if port is not None and not here and port != _USUAL[parts.scheme.lower()]:
        remarks.append(f"port {port} is not the usual one")
    if len(url) > _LONG:
        remarks.append(f"it has {len(url):,} characters")
    return remarks
