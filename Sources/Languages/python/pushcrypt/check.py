"""Runs the test vectors with the installed package: python -m pushcrypt.check [--version | FILE]."""

from __future__ import annotations

import functools
import json
import pathlib
import sys
import types
from typing import Any, Callable, Dict, Mapping
from unittest import mock

from . import (Account, Challenges, Opener, PrivateKey, Push, PushCryptError, Recipient, Registration, Row, Sealer,
               SignerList, SignerRoots, SigningKey, SigningKeyring, VerificationKey, __version__, accepted_row,
               answer_challenge, carriers, device_token, originals, sealer)
from .keys import PublicKey, decode_base64, encode_base64

Json = Dict[str, Any]
FILE = pathlib.Path(__file__).with_name("vectors.jsonl")
READERS: Mapping[str, type[PublicKey]] = {
    "recipient-public": Recipient, "verification": VerificationKey, "recipient-private": PrivateKey,
    "signing": SigningKey}
_SHOWN_FAILURES = 20


def account(described: Json) -> Account:
    """Returns an account of an opening vector."""
    accept = described["accept"]
    signed_by = [VerificationKey.parse(json.dumps(key)) for key in accept.get("signed_by", accept.get("roots", []))]
    if "roots" in accept:
        signed_by = SignerRoots(signed_by, accept["audience"]).accepted_keys(accept["lists"])
    keys = [PrivateKey.parse(json.dumps(key)) for key in described["keys"]]
    return Account(described["name"], keys, signed_by, accept.get("anyone", False))


def _open(request: Json) -> Json:
    opener = Opener([account(described) for described in request["accounts"]], request["kinds"])
    if "payload" in request:
        opened = opener.open(request["payload"].encode("utf-8", "surrogatepass"), request["now_ms"])
    else:
        opened = opener.open_value(request["userInfo-value"], request["now_ms"])
    texts = {"original": opened.original.decode(), "message_id": encode_base64(opened.message_id)}
    return {"opens": {**vars(opened), **texts}}


def _key(request: Json) -> Json:
    result = READERS[request["kind"]].parse(request["text"])
    return {"thumbprint": result.thumbprint, "key_id": encode_base64(result.key_id)}


def _registration(request: Json) -> Json:
    result = Registration.parse(request["text"])
    return {"generation": result.generation, "lifetime": result.lifetime, "signers": result.signers}


def _roots(request: Json) -> SignerRoots:
    return SignerRoots([VerificationKey.parse(json.dumps(jwk)) for jwk in request["roots"]], request["audience"])


def _signer_list(request: Json) -> Json:
    roots, stored = _roots(request), [request["stored"]] if request["stored"] else []
    is_same = roots.stored_with(request["text"], stored, request["now_ms"]) == stored
    result = SignerList.verify(request["text"], roots.roots)
    return {"outcome": "unchanged" if is_same else "accepted", "number": result.number,
            "kids": [key.thumbprint for key in result.keys]}


def _choice(request: Json) -> Json:
    return {"kid": SigningKeyring.parse(request["keyring"]).key_for(request["signers"]).thumbprint}


def new_sealer(request: Json) -> Sealer:
    """Returns the sealer of a request, with its settings."""
    settings = {name: request[name] for name in ("padding", "placeholder", "expose", "carrier") if name in request}
    settings["proofs_since"] = request.get("proofs_since_ms")
    if request["sender"] is None:
        return Sealer.anonymous(**settings)
    return Sealer.signed(SigningKey.parse(json.dumps(request["sender"])), **settings)


def _pad(request: Json) -> Json:
    room = request["maximum"] - request["frame"]
    return {"padded": [new_sealer(request)._message_length(request["lengths"][0], room)]}


def _time(request: Json) -> types.SimpleNamespace:
    return types.SimpleNamespace(time_ns=lambda: request["now_ms"] * 1_000_000)


def _seal(request: Json) -> Json:
    """Seals with the time and the random bytes of a vector."""
    secret, message_id = (decode_base64(request[name][0]) for name in ("ephemeral_secrets", "message_ids"))
    names = {"type": "type", "kind": "kind", "lifetime_s": "lifetime", "topic": "topic", "collapse_id": "collapse_id",
             "priority": "priority"}
    options = {keyword: request[name] for name, keyword in names.items() if name in request}
    fixed: Json = {"time": _time(request), "os": types.SimpleNamespace(urandom=lambda count: message_id[:count]),
                   "_envelope": functools.partial(sealer._envelope, box=sealer._box_with(secret))}
    with mock.patch.multiple(sealer, **fixed):
        push = new_sealer(request).seal(request["payload"], request["to"], **options)
    return {"payload": push.payload.decode(), "headers": push.headers}


def answered(push: Push, request: Json) -> Json:
    """Returns the carrier's request for a push."""
    result = push.request(request["token"], request.get("app_id"))
    return {"body": result.body.decode(), "headers": result.headers}


def _carrier_request(request: Json) -> Json:
    payload = request["payload"].encode()
    return answered(Push(payload, request["apns_headers"], request["carrier"], request["issued_at_ms"]), request)


def _limit(request: Json) -> Json:
    carriers.check_type(request["carrier"], request["type"])
    maximum = originals.PUSH_TYPES[request["type"]][1]
    room = carriers.room(request["carrier"], maximum, request["frame"])
    return {"longest": Sealer.anonymous(padding="maximum")._message_length(0, room)}


def _challenges(request: Json) -> Challenges:
    secrets = request.get("secrets") or (request["secret"], request["previous"])
    return Challenges(request["topic"], *map(decode_base64, secrets))


def _challenge(request: Json) -> Json:
    def payload(aps: str | None) -> str:
        return _challenges(request).issue(request["registration"], request["token"], request["account"],
                                          expires=request["expires"], carrier=request["carrier"], aps=aps)
    return {"payload": payload(None), "visible": payload(request["aps"])}


def _proof(request: Json) -> Json:
    names = ("payload", "registration", "token", "account")
    return {"answer": answer_challenge(*(request[name] for name in names), carrier=request["carrier"])}


def _answer(request: Json) -> Json:
    text = _challenges(request).verify(request["body"], request["token"], request["account"],
                                       carrier=request["carrier"], now_ms=request["now_ms"])
    result = Registration.parse(text)
    return {"generation": result.generation, "kid": result.recipient.thumbprint}


def _update(request: Json) -> Json:
    known = request["row"] and Row.parse(request["row"])
    others = list(map(Row.parse, request["others"]))
    proved = request.get("proved") or (False if request.get("proofs") else None)
    result = accepted_row(request["text"], request["token"], request["account"], known, others, request["now_ms"],
                          carrier=request.get("carrier", "apns"), proved=proved)
    return {"challenge": True} if result is None else {"row": result.json}


def _refusal(request: Json) -> Json:
    row = Row.parse(request["row"])
    anonymous = Sealer.anonymous(proofs_since=request["proofs_since_ms"], carrier=row.carrier)
    with mock.patch.object(sealer, "time", _time(request)):
        anonymous.seal(request["payload"], row, kind=request.get("kind"))
    return {"refused": False}


ACTIONS: Mapping[str, Callable[[Json], Json]] = {
    "open": _open, "key": _key, "registration": _registration, "update": _update, "row": _update, "pad": _pad,
    "seal": _seal, "signer-list": _signer_list, "choice": _choice, "challenge": _challenge, "proof": _proof,
    "answer": _answer, "refusal": _refusal, "request": _carrier_request, "limit": _limit,
    "accepted-keys": lambda request: {
        "kids": [key.thumbprint for key in _roots(request).accepted_keys(request["stored"])]},
    "apns-id": lambda request: {"apns_id": sealer.apns_id(decode_base64(request["message_id"]))},
    "token": lambda request: {"stored": device_token(request["text"])},
}


def answer(request: Json, actions: Mapping[str, Callable[[Json], Json]] = ACTIONS) -> Json:
    """Returns the library's answer to the request of a vector."""
    try:
        return actions[request["do"]](request)
    except PushCryptError as error:
        failure: Json = {"fails": error.code}
        if error.generation is not None:
            failure["generation"] = error.generation
        if request.get("reason"):
            failure["reason"] = error.reason
        return failure


def _comparable(members: Json, texts: list[str]) -> Json:
    """Returns an answer whose JSON texts are values."""
    return {name: json.loads(value) if name in texts else value for name, value in members.items()}


def failures(lines: list[Json]) -> list[str]:
    """Returns the names of the vectors whose answer isn't the expected one."""
    return [line["name"] for line in lines
            if _comparable(answer(line["request"]), line["json"]) != _comparable(line["answer"], line["json"])]


def main(arguments: list[str]) -> int:
    if arguments == ["--version"]:
        print(__version__)
        return 0
    if len(arguments) > 1 or arguments and arguments[0].startswith("-"):
        print("usage: python -m pushcrypt.check [--version | FILE]", file=sys.stderr)
        return 64
    path = pathlib.Path(arguments[0]) if arguments else FILE
    try:
        header, *lines = map(json.loads, path.read_text("ascii").splitlines())
        is_whole = header["version"] == 1 and len(lines) == header["count"] > 0
    except (OSError, ValueError, KeyError) as error:
        print(f"error: The vectors can't be read: {error}. Give their file.", file=sys.stderr)
        return 1
    if not is_whole:
        print(f"error: {path} is incomplete. Write it again.", file=sys.stderr)
        return 1
    failed = failures(lines)
    for name in failed[:_SHOWN_FAILURES]:
        print(f"failed: {name}")
    print(f"pushcrypt {__version__}: {len(lines) - len(failed)} vectors passed, {len(failed)} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
