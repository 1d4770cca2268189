"""The words of dying servers and of the programs that start them, as the field writes them, and what each asks for."""

from __future__ import annotations

import re
from typing import NamedTuple

from inspector.base.patterns import pattern


class Remedy(NamedTuple):
    words: re.Pattern[str]
    hint: str
    """`{0}` is what the first group of the words matched."""


_NAME = r"[\w@./~+-]{1,120}"
_VARIABLE = (
    r"(?-i:\b(?!ERR_|GLIBC|RUST_|NODE_MODULE_|CERTIFICATE_|MODULE_|UNABLE_|SELF_|UNSUPPORTED_)"
    r"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b)"
)
_MISSING = (
    r"(?:(?:is |are |was |were |be |been )*"
    r"(?:not (?:set|provided|found|defined|configured|specified)|missing|required|needed|undefined|unset|empty|"
    r"absent|null or not set)|must be (?:set|given|provided|specified|defined|configured)|unbound variable)"
)
_CREDENTIALS = r"(?:api[ _-]?key|(?:access |auth )?token|credentials?|password)"

DEATHS = (
    Remedy(
        pattern(r"No module named '?([\w.]{1,120})"),
        "the Python that runs it lacks {0}: install it there, or give as command the interpreter that has it",
    ),
    Remedy(
        pattern(r"cannot import name '\w{1,120}' from '([\w.]{1,120})"),
        "{0} is installed in another version than it was written for: install that one where it runs",
    ),
    Remedy(
        pattern(r"(?i)cannot find (?:module|package)|module not found|could not locate the bindings"),
        "check the path in args, and install or build the server first (npm install, npm run build)",
    ),
    Remedy(
        pattern(r"outside a module|Unknown file extension"),
        "Node.js does not run this file as it is: build the server and start the built file, or run it with tsx",
    ),
    Remedy(
        pattern(r"(?i)npm (?:error|ERR!) (?:code )?E40[13]"),
        "the registry of packages wants a login: see .npmrc",
    ),
    Remedy(
        pattern(r"ETARGET|No matching version"),
        "the registry has the package, but not in this version: correct the version in args",
    ),
    Remedy(
        pattern(
            r"(?i)npm (?:error|ERR!) (?:code )?E?404|FETCH_404|\bGET https?://.{1,200} - 404|is not in this registry|"
            r"was not found in the (?:package registry|provided package)|No matching distribution|404 Not Found - GET"
        ),
        "check the name of the package in args: the registry does not have it",
    ),
    Remedy(
        pattern(r"(?i)missing script|script not found \""),
        "its package.json has no script of this name: correct args, or the working directory (cwd)",
    ),
    Remedy(
        pattern(
            r"(?i)could not determine executable|executable .{1,80} (?:is )?not provided by package|failed to spawn: "
        ),
        "the package has no program of this name: give the program beside the package (npx -p PACKAGE PROGRAM, "
        "uvx --from PACKAGE PROGRAM)",
    ),
    Remedy(
        pattern(
            r"(?i)doesn't exist at .*(?:chromium|firefox|webkit)|playwright install|could not find chrome"
        ),
        "it lacks its browser: install that first (npx playwright install, npx puppeteer browsers install)",
    ),
    Remedy(
        pattern(
            r"(?i)loading shared libraries|cannot open shared object|GLIBC\S* not found|library not loaded"
        ),
        "a library of the system is missing or too old: install it, or take a build of the server for this system",
    ),
    Remedy(
        pattern(r"(?i)exec format error|bad cpu type"),
        "it was built for another processor or system: take a build for this one",
    ),
    Remedy(
        pattern(r"\benv: [‘'\"]?([\w.+-]{1,80})[’'\"]?: No such file|'([\w.+-]{1,80})' is not recognized as"),
        "there is no {0} on its PATH: install it, or give PATH in env of this server",
    ),
    Remedy(
        pattern(r"(?i)executable file not found in \$PATH"),
        "the container has no such program: correct what stands behind the image in args",
    ),
    Remedy(
        pattern(r"(?i)permission denied .{0,80}docker"),
        "this user may not use Docker: add it to the group docker, or use Docker without root",
    ),
    Remedy(
        pattern(r"(?i)Docker daemon\b.{0,40}\bnot running|connect to the Docker (?:daemon|API)"),
        "start Docker first",
    ),
    Remedy(pattern(r"(?i)Cannot connect to Podman"), "start Podman first (podman machine start)"),
    Remedy(
        pattern(
            r"(?i)pull access denied|manifest unknown|manifest for .{1,200} not found|invalid reference format"
        ),
        "check name and tag of the image in args; one that is private wants docker login",
    ),
    Remedy(
        pattern(r"(?i)container name .{1,200} is already in use"),
        "a container of an earlier start is still there: remove it, and put --rm in args",
    ),
    Remedy(pattern(r"(?i)input device is not a TTY"), "take -t out of args: docker run takes -i alone here"),
    Remedy(
        pattern(
            r"EADDRINUSE|(?i:address already in use|\bport\b.{0,40}\balready (?:in use|allocated)|"
            r"only one usage of|\bis port \d+ in use)"
        ),
        "another process has its port, perhaps an earlier start of it: end that one, or give it another port",
    ),
    Remedy(
        pattern(r"listen EACCES|(?i:bind: permission denied)"),
        "it may not listen on this port: give it one from 1024 up",
    ),
    Remedy(
        pattern(r"(?i)certificate has expired|certificate is not yet valid"),
        "a certificate that it meets is not valid now: check the clock of this machine, else its owner must renew it",
    ),
    Remedy(
        pattern(
            r"(?i)certificate verify failed|self[- ]signed certificate|UNABLE_TO_(?:VERIFY|GET)|unknown authority|"
            r"unable to verify the first|PKIX path|unable to get local issuer"
        ),
        "the server does not trust a certificate: give it the authority in env (NODE_EXTRA_CA_CERTS, SSL_CERT_FILE)",
    ),
    Remedy(
        pattern(r"(?i)tunneling socket|ProxyError|cannot connect to proxy|proxy authentication"),
        "the proxy of its env does not let it through: see HTTP_PROXY, HTTPS_PROXY and NO_PROXY",
    ),
    Remedy(
        pattern(
            r"EAI_AGAIN|ENOTFOUND|ETIMEDOUT|ECONNRESET|ENETUNREACH|UnknownHost|ConnectTimeout|"
            r"(?i:getaddrinfo|name resolution|no such host|name or service not known|could not resolve|are you offline|"
            r"network is unreachable|socket hang up|connection timed out|connection attempts failed)"
        ),
        "the server could not reach the network: check the connection, and the proxy variables in its env",
    ),
    Remedy(
        pattern(
            r"(?i)unsupported engine|requires (?:python|node)|EBADENGINE|requires a different python|"
            r"more recent version of the Java|No interpreter found|different Node\.js version|\bfetch is not defined|"
            r"bad option: --experimental"
        ),
        "start it with a version of its runtime that it supports, and install it anew under that",
    ),
    Remedy(
        pattern(r"JSONDecodeError|(?i:\bin JSON at position|is not valid JSON|unexpected end of JSON)"),
        "something that it reads as JSON is none: look at the file or value that env or args give it",
    ),
    Remedy(
        pattern(r"SyntaxError: "),
        "its code is broken, or not for the version of the runtime that starts it: start it with the one it is for",
    ),
    Remedy(
        pattern(r"(?i)\bsyntax error near|unexpected EOF while looking"), "correct the shell command in args"
    ),
    Remedy(
        pattern(r"KeyError: '([A-Z][A-Z0-9_]{2,80})'|key not found: \"([A-Z][A-Z0-9_]{2,80})\""),
        "set {0} in env of this server, or with --env {0}=...",
    ),
    Remedy(
        pattern(rf"(?i){_VARIABLE}(?:.{{0,60}}?\b|[^\w\n]{{0,4}}){_MISSING}"),
        "set {0} in env of this server, or with --env {0}=...",
    ),
    Remedy(
        pattern(
            rf"(?i)\b(?:{_MISSING}.{{0,60}}?|(?:set|export|provide|specify|define|expected)\b.{{0,30}}?){_VARIABLE}"
        ),
        "set {0} in env of this server, or with --env {0}=...",
    ),
    Remedy(
        pattern(
            r"(?m)^([A-Za-z_][\w.]{0,80})\n\s+Field required|"
            r"\"path\": ?\[\s*\"(\w{1,80})\"\s*\][^}]{0,80}(?:Required|undefined)"
        ),
        "it lacks {0}: give it in env or args of this server",
    ),
    Remedy(
        pattern(
            r"(?i)\b(?:incorrect|invalid|bad|wrong|expired|revoked)[ _]"
            + _CREDENTIALS
            + r"|authentication failed|AuthenticationError|\bunauthori[sz]ed\b|unauthenticated|access denied for user|"
            r"invalid_auth|\bstatus code 40[13]\b|\bHTTP 40[13]\b"
        ),
        "what it logs in with is not accepted: check the key, token or password in its env",
    ),
    Remedy(
        pattern(
            rf"(?i)\b{_CREDENTIALS}\b.{{0,40}}?\b{_MISSING}|(?:missing|\bno|needs?|requires?|unable to locate) "
            rf"(?:an? |your |the |valid )?{_CREDENTIALS}\b"
        ),
        "give it what it asks for, in env or args of this server",
    ),
    Remedy(
        pattern(r"(?i)not logged in|\bauth login\b|please (?:log|sign) ?in|\brun:? .{0,40}\blogin\b"),
        "log in first, as its words say",
    ),
    Remedy(
        pattern(
            r"(?im)^usage:|arguments? (?:is|are|were) (?:required|not provided)|missing required argument|"
            r"(?:too (?:few|many)|unrecognized|unexpected) arguments?|flag provided but not|\bbad option|"
            r"(?:unknown|no such|missing|invalid) (?:option|flag|command|argument)|invalid value for|"
            r"expected .{0,30}\bargument|run again with the --"
        ),
        "its args are not what it takes: correct them as its words say",
    ),
    Remedy(
        pattern(r"(?i)file watchers|inotify"),
        "the system lets it watch too few files: raise fs.inotify.max_user_watches, or give it a smaller folder",
    ),
    Remedy(pattern(r"ENOSPC|(?i:no space left)"), "the disk is full: make room, then restart it"),
    Remedy(
        pattern(r"EMFILE|ENFILE|(?i:too many open files)"),
        "it may open too few files: raise the limit (ulimit -n)",
    ),
    Remedy(
        pattern(r"(?i)out of memory|OutOfMemory|MemoryError|Cannot allocate memory|bad_alloc"),
        "it ran out of memory: ask it for less, or give it more",
    ),
    Remedy(
        pattern(r"(?i)\b429\b.{0,20}\btoo many|too many requests|rate limit|\bquota\b"),
        "what it uses limits the rate: wait, then restart it",
    ),
    Remedy(
        pattern(r"(?i)database is locked|instance\b.{0,30}\brunning|already running \(|\block ?file\b"),
        "another process holds what it needs, perhaps an earlier start of it: end that one",
    ),
    Remedy(
        pattern(r"\$DISPLAY|(?i:(?:cannot open|connect to) display|missing x server)"),
        "it wants a screen and has none: give DISPLAY in env, or ask it in args to go without (headless)",
    ),
    Remedy(
        pattern(r"(?i)ECONNREFUSED|connection refused|cannot connect to host|connection timeout expired"),
        "something that the server needs does not answer: start that first, or correct its address",
    ),
    Remedy(
        pattern(r"EACCES|EPERM|EROFS|(?i:permission denied|operation not permitted|read-only file system)"),
        "it may not use what it names: correct the permissions (chmod +x for a program), or the path in args",
    ),
    Remedy(
        pattern(r"(?i)could not find or load main class|no main manifest"),
        "the class or the class path in args is wrong, or the jar is not built to be started",
    ),
    Remedy(
        pattern(
            r"ENOENT|EISDIR|ENOTDIR|(?i:no such file or directory|(?:does not|doesn't) exist|access jarfile|"
            r"not a directory|"
            r"unable to open database|not a git repository|(?:cannot|could not) find (?:the )?(?:path|file|`)|"
            r"no package\.json)"
        ),
        "a path that it was given does not exist: correct args or env; it starts in the working directory of its entry",
    ),
    Remedy(
        pattern(
            r"\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD|PAT|URL|URI|STRING|CREDENTIALS))\b"
        ),
        "it speaks of {0}: see whether env of this server gives it",
    ),
)
"""The first that fits counts: what is particular stands before what is general."""
