"""The engine in the era of 2026-07-28: no handshake, questions in rounds, changes by subscription; and beside it the
older one.

A request that says its version in `_meta` is taken for itself; `initialize` and what follows it go the older way, where
the definition speaks an older version too. A handler that asks the client is kept where it stands: its request is
answered with the question, and goes on with the next one that brings the answer.
"""

from __future__ import annotations

import secrets
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from inspector.protocol.jsonrpc import (
    INVALID_PARAMS,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    UNSUPPORTED_VERSION,
    Id,
)
from inspector.protocol.revisions import PREFIX
from inspector.serving import methods
from inspector.serving.call import LEVELS, Ask, AskAll, Call
from inspector.serving.definition import Definition, RpcError, is_modern
from inspector.serving.engine import Frame, Run, Session

_VERSION, _CLIENT = f"{PREFIX}protocolVersion", f"{PREFIX}clientCapabilities"
_LISTEN = "subscriptions/listen"
_ASKING = ("tools/call", "prompts/get", "resources/read")
"""Methods that may be answered by asking back."""
_GONE = ("initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe")
_WANTS = {
    f"notifications/{kind}/list_changed": f"{kind}ListChanged" for kind in ("tools", "prompts", "resources")
}
_URIS = "resourceSubscriptions"
_MOST_PAUSED = 100


class _Hold:
    """Asks the engine to leave a handler where it is: the client ends it."""

    def __await__(self) -> Generator[_Hold, None, None]:
        yield self


async def discover(call: Call) -> methods.Answer:
    definition = call.session.definition
    answer: methods.Answer = {
        "supportedVersions": list(definition.versions),
        "capabilities": definition.declared(call.session.version),
    }
    return answer if definition.instructions is None else {**answer, "instructions": definition.instructions}


async def listen(call: Call) -> methods.Answer:
    """Agrees to what it knows of the filter, and stays open until the client ends it."""
    assert isinstance(call.session, ModernSession)
    call.session.agree(call, methods.object_of(call.params, "notifications"))
    await _Hold()
    return {}


_METHODS: Mapping[str, methods.Method] = {
    **{name: method for name, method in methods.METHODS.items() if name not in _GONE},
    "server/discover": discover,
    _LISTEN: listen,
}


class ModernSession(Session):
    """One client's conversation, in the era in which it begins each request."""

    def __init__(self, definition: Definition, **more: Any) -> None:
        super().__init__(definition, **more)
        self._modern = [version for version in definition.versions if is_modern(version)]
        self._paused: dict[str, tuple[Run, Ask | AskAll]] = {}
        self._listens: dict[Id, Mapping[str, Any]] = {}

    def close(self) -> None:
        for run, _ in self._paused.values():
            self._stop(run)
        self._paused.clear()
        super().close()

    # Frames of the client.

    def _request(self, id: Any, method: str, params: Any) -> None:
        given = params if isinstance(params, dict) else {}
        meta = meta_of(given)
        older = len(self._modern) < len(self.definition.versions)
        if older and _VERSION not in meta and method != "server/discover":
            return super()._request(id, method, params)
        if (refusal := self.refused_id(id)) is not None:
            return self._refuse_request(id, refusal)
        if (refusal := self.refusal(method, given)) is not None:
            return self._send_error(id, refusal)
        self.version, self.client_capabilities = meta[_VERSION], meta[_CLIENT]
        self._start_routines()
        if method in _ASKING and "requestState" in given:
            return self._go_on(id, method, given)
        call = Call(self, id, given, method)
        work = self.definition.methods.get(method) or _METHODS[method]
        self._runs[id] = run = Run(work(call), call)
        return self._step(run)

    def refusal(self, method: str, params: Mapping[str, Any]) -> RpcError | None:
        """Why it is no request that can be taken (spec: basic, _meta; versioning)."""
        meta = meta_of(params)
        version = meta.get(_VERSION)
        greets = method == "initialize" and version is None
        if greets or (isinstance(version, str) and version not in self._modern):
            # An older client has no other way to hear of the versions.
            wanted = params.get("protocolVersion") if greets else version
            data = {"supported": list(self.definition.versions), "requested": wanted}
            return RpcError(UNSUPPORTED_VERSION, "Unsupported protocol version", data)
        for name, kind in ((_VERSION, str), (_CLIENT, dict)):
            if not isinstance(meta.get(name), kind):
                return RpcError(INVALID_PARAMS, f"Invalid params: _meta must have {name}")
        capability = methods.CAPABILITY_OF.get(method.partition("/")[0])
        offered = self.definition.declared(meta[_VERSION])
        known = method in _METHODS or method in self.definition.methods
        if not known or (capability is not None and capability not in offered):
            return RpcError(METHOD_NOT_FOUND, f"Method not found: {method}")
        return None

    def _finish(self, run: Run, value: Any = None, error: RpcError | None = None) -> None:
        if error is not None and error.code == methods.RESOURCE_NOT_FOUND and _is_modern(run):
            error = RpcError(INVALID_PARAMS, str(error), error.data)
        elif error is None and _is_modern(run):
            value = self._dressed({"resultType": "complete", **value, **self._kept(run.call.method)})
            if run.call.id in self._listens:
                del self._listens[run.call.id]
                value["_meta"][f"{PREFIX}subscriptionId"] = run.call.id
        super()._finish(run, value, error)

    def _dressed(self, result: methods.Answer) -> methods.Answer:
        return {
            **result,
            "_meta": {f"{PREFIX}serverInfo": methods.server_info(self.definition, self.version)},
        }

    def _kept(self, method: str) -> methods.Answer:
        """How long a result may be kept, and by whom (spec: caching)."""
        if method != "server/discover" and not method.endswith(("/list", "/read")):
            return {}
        ttl = round(1000 * self.definition.keeps.get(method, 0))
        return {"ttlMs": ttl, "cacheScope": "private" if method.endswith("/read") else "public"}

    # Questions in rounds (spec: multi round-trip requests).

    def _grant(self, run: Run, wish: Any) -> None:
        if isinstance(wish, _Hold):
            return
        if not (isinstance(wish, Ask | AskAll) and _is_modern(run)):
            return super()._grant(run, wish)
        if run.call.method not in _ASKING:
            return self._step(run, error=TypeError(f"{run.call.method} cannot ask the client"))
        asks = wish.asks if isinstance(wish, AskAll) else (wish,)
        given = run.call.given
        if not all(isinstance(given.get(ask.key), dict) for ask in asks):
            return self._pause(run, wish, asks)
        replies = {ask.key: given.pop(ask.key) for ask in asks}
        return self._step(run, replies if isinstance(wish, AskAll) else replies[asks[0].key])

    def _pause(self, run: Run, wish: Ask | AskAll, asks: Sequence[Ask]) -> None:
        assert run.call.id is not None
        state = secrets.token_urlsafe(16)
        self._paused[state] = run, wish
        for oldest in list(self._paused)[:-_MOST_PAUSED]:
            self._stop(self._paused.pop(oldest)[0])
        self._runs.pop(run.call.id, None)
        asked = {
            "resultType": "input_required",
            "inputRequests": {
                ask.key: {"method": ask.method, "params": dict(ask.params or {})} for ask in asks
            },
            "requestState": state,
        }
        self._send_result(run.call.id, self._dressed(asked))

    def _go_on(self, id: Id, method: str, params: Mapping[str, Any]) -> None:
        """The request comes again, with what it was asked for."""
        run, wish = self._paused.get(str(params["requestState"]), (None, None))
        if run is None or wish is None or run.call.method != method:
            told = "Invalid params: requestState is not known here, or not any more"
            return self._send_error(id, RpcError(INVALID_PARAMS, told))
        del self._paused[str(params["requestState"])]
        run.call.take(id, params)
        self._runs[id] = run
        return self._grant(run, wish)

    def lacks(self, capability: str) -> Exception:
        if not is_modern(self.version):
            return super().lacks(capability)
        return RpcError(
            MISSING_CAPABILITY, f"The client does not declare {capability}",
            {"requiredCapabilities": {capability: {}}},
        )  # fmt: skip

    # What the client hears of (spec: subscriptions; logging).

    def agree(self, call: Call, asked: Mapping[str, Any]) -> None:
        """Takes a subscription in, and says what of it is honoured."""
        assert call.id is not None
        agreed: dict[str, Any] = {name: True for name in _WANTS.values() if asked.get(name) is True}
        uris = asked.get(_URIS)
        if known := [uri for uri in uris if isinstance(uri, str)] if isinstance(uris, list) else []:
            agreed[_URIS] = known
        self._listens[call.id] = agreed
        self._tell(call.id, "notifications/subscriptions/acknowledged", {"notifications": agreed})

    def end_subscriptions(self) -> list[Frame]:
        """Answers those that are open, as a server does that stops (spec: subscriptions, graceful closure)."""
        for id in list(self._listens):
            self._finish(self._runs[id], {})
        return self._drain()

    def _tell(self, id: Id, method: str, params: Mapping[str, Any]) -> None:
        super().notify(method, {**params, "_meta": {f"{PREFIX}subscriptionId": id}}, about=id)

    def notify(self, method: str, params: Mapping[str, Any] | None = None, about: Id | None = None) -> None:
        if not is_modern(self.version) or method not in _WANTS:
            return super().notify(method, params, about)
        for id, agreed in self._listens.items():
            if agreed.get(_WANTS[method]):
                self._tell(id, method, params or {})
        return None

    def updated(self, uri: str) -> None:
        super().updated(uri)
        for id, agreed in self._listens.items():
            if uri in agreed.get(_URIS, ()):
                self._tell(id, "notifications/resources/updated", {"uri": uri})

    def least_level(self, call: Call) -> str | None:
        if not is_modern(self.version):
            return super().least_level(call)
        level = meta_of(call.params).get(f"{PREFIX}logLevel")
        return level if level in LEVELS else None

    def _stop(self, run: Run) -> None:
        if run.call.id is not None:
            self._listens.pop(run.call.id, None)
        super()._stop(run)


def meta_of(params: Mapping[str, Any]) -> dict[str, Any]:
    """`_meta` of params or of a result, empty where there is none."""
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def _is_modern(run: Run) -> bool:
    return run.call.id is not None and _VERSION in meta_of(run.call.params)
