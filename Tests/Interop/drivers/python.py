"""Answers requests of Tests/Interop/run with the Python library in the directory that is the argument."""

import json
import pprint
import sys
import types

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

import pushcrypt  # noqa: E402
from pushcrypt import carriers, keys, originals, sealer  # noqa: E402

READERS = {
    "recipient-public": pushcrypt.Recipient, "verification": pushcrypt.VerificationKey,
    "recipient-private": pushcrypt.PrivateKey, "signing": pushcrypt.SigningKey,
}
envelope = sealer._envelope


def key(request):
    result = READERS[request["kind"]].parse(request["text"])
    return {"thumbprint": result.thumbprint, "key_id": keys.encode_base64(result.key_id)}


def registration(request):
    result = pushcrypt.Registration.parse(request["text"])
    return {"generation": result.generation, "lifetime": result.lifetime, "signers": result.signers}


def signer_roots(request):
    roots = [pushcrypt.VerificationKey.parse(json.dumps(jwk)) for jwk in request["roots"]]
    return pushcrypt.SignerRoots(roots, request["audience"])


def signer_list(request):
    roots, stored = signer_roots(request), [request["stored"]] if request["stored"] else []
    is_same = roots.stored_with(request["text"], stored, request["now_ms"]) == stored
    result = pushcrypt.SignerList.verify(request["text"], roots.roots)
    return {"outcome": "unchanged" if is_same else "accepted", "number": result.number,
            "kids": [key.thumbprint for key in result.keys]}


def accepted_keys(request):
    return {"kids": [key.thumbprint for key in signer_roots(request).accepted_keys(request["stored"])]}


def issue(request):
    keys = [pushcrypt.VerificationKey.parse(json.dumps(jwk)) for jwk in request["keys"]]
    root = pushcrypt.SigningKey.parse(json.dumps(request["root"]))
    arguments = [request[name] for name in ("number", "iat", "exp", "audience")]
    return {"text": pushcrypt.issue_signer_list(keys, *arguments, root)}


def choice(request):
    return {"kid": pushcrypt.SigningKeyring.parse(request["keyring"]).key_for(request["signers"]).thumbprint}


def update(request):
    row = request["row"] and pushcrypt.Row.parse(request["row"])
    others = map(pushcrypt.Row.parse, request["others"])
    return {"row": pushcrypt.accepted_row(
        request["text"], request["token"], request["account"], row, list(others), request["now_ms"]).json}


def new_sealer(request):
    settings = {name: request[name] for name in ("padding", "placeholder", "expose", "carrier") if name in request}
    settings["proofs_since"] = request.get("proofs_since_ms")
    if request["sender"] is None:
        return pushcrypt.Sealer.anonymous(**settings)
    return pushcrypt.Sealer.signed(pushcrypt.SigningKey.parse(json.dumps(request["sender"])), **settings)


def pad(request):
    return {"padded": [new_sealer(request)._message_length(request["lengths"][0], request["maximum"] - request["frame"])]}


def seal(request):
    secret, message_id = (keys.decode_base64(request[name][0]) for name in ("ephemeral_secrets", "message_ids"))
    sealer.time = types.SimpleNamespace(time_ns=lambda: request["now_ms"] * 1_000_000)
    sealer.os = types.SimpleNamespace(urandom=lambda count: message_id[:count])
    sealer._envelope = lambda *arguments: envelope(*arguments, box=sealer._box_with(secret))
    names = {"type": "type", "kind": "kind", "lifetime_s": "lifetime", "topic": "topic", "collapse_id": "collapse_id", "priority": "priority"}
    options = {keyword: request[name] for name, keyword in names.items() if name in request}
    push = new_sealer(request).seal(request["payload"], request["to"], **options)
    return {"payload": push.payload.decode(), "headers": push.headers}


def answered(push, request):
    result = push.request(request["token"], request.get("app_id"))
    return {"body": result.body.decode(), "headers": result.headers}


def carrier_request(request):
    push = pushcrypt.Push(request["payload"].encode(), request["apns_headers"], request["carrier"], request["issued_at_ms"])
    return answered(push, request)


def limit(request):
    carriers.check_type(request["carrier"], request["type"])
    maximum = originals.PUSH_TYPES[request["type"]][1]
    room = carriers.room(request["carrier"], maximum, request["frame"])
    return {"longest": pushcrypt.Sealer.anonymous(padding="maximum")._message_length(0, room)}


def carrier_seal(request):
    to = request["to"] if request["row"] is None else pushcrypt.Row.parse(request["row"])
    options = {name: request[name] for name in ("type", "topic", "collapse_id", "priority") if name in request}
    push = new_sealer(request).seal(request["payload"], to, **options)
    members = {"payload": push.payload.decode(), "apns_headers": push.headers, "issued_at_ms": push.issued_at_ms}
    return members | answered(push, request)


def challenges(request):
    secrets = [keys.decode_base64(secret) for secret in request.get("secrets") or (request["secret"], request["previous"])]
    return pushcrypt.Challenges(request["topic"], *secrets)


def challenge(request):
    def payload(aps):
        return challenges(request).issue(request["registration"], request["token"], request["account"],
                                         expires=request["expires"], carrier=request["carrier"], aps=aps)
    return {"payload": payload(None), "visible": payload(request["aps"])}


def proof(request):
    names = ("payload", "registration", "token", "account")
    return {"answer": pushcrypt.answer_challenge(*(request[name] for name in names), carrier=request["carrier"])}


def answer_of(request):
    text = challenges(request).verify(request["body"], request["token"], request["account"], carrier=request["carrier"],
                                      now_ms=request["now_ms"])
    result = pushcrypt.Registration.parse(text)
    return {"generation": result.generation, "kid": result.recipient.thumbprint}


def row(request):
    known = request["row"] and pushcrypt.Row.parse(request["row"])
    others = list(map(pushcrypt.Row.parse, request["others"]))
    proved = request["proved"] or (False if request["proofs"] else None)
    result = pushcrypt.accepted_row(request["text"], request["token"], request["account"], known, others, request["now_ms"],
                                    carrier=request["carrier"], proved=proved)
    return {"challenge": True} if result is None else {"row": result.json}


def refusal(request):
    sealer.time = types.SimpleNamespace(time_ns=lambda: request["now_ms"] * 1_000_000)
    row = pushcrypt.Row.parse(request["row"])
    anonymous = pushcrypt.Sealer.anonymous(proofs_since=request["proofs_since_ms"], carrier=row.carrier)
    anonymous.seal(request["payload"], row, kind=request.get("kind"))
    return {"refused": False}


def keyring(request):
    return {"thumbprint": pushcrypt.SigningKeyring.read(request["text"]).key_for(None).thumbprint}


def print_key(request):
    result = READERS[request["kind"]].parse(request["text"])
    owner = pushcrypt.Sealer.signed(result) if request["kind"] == "signing" else pushcrypt.Opener(
        [pushcrypt.Account("anna", [result])])
    return {"texts": [text for value in (result, owner, [result]) for text in (str(value), repr(value), pprint.pformat(value))]}


def token(request):
    return {"stored": pushcrypt.device_token(request["text"])}


def apns_id(request):
    return {"apns_id": sealer.apns_id(keys.decode_base64(request["message_id"]))}


ACTIONS = {"apns-id": apns_id, "keyring": keyring, "print": print_key, "key": key, "registration": registration, "update": update, "token": token, "pad": pad,
           "seal": seal, "signer-list": signer_list, "accepted-keys": accepted_keys, "choice": choice,
           "issue": issue, "challenge": challenge, "proof": proof, "answer": answer_of, "row": row, "refusal": refusal,
           "request": carrier_request, "limit": limit, "carrier-seal": carrier_seal}
for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = ACTIONS[request["do"]](request)
    except pushcrypt.PushCryptError as error:
        answer = {"fails": error.code}
        if error.generation is not None:
            answer["generation"] = error.generation
        if request.get("reason"):
            answer["reason"] = error.reason
    print(json.dumps(answer))
