"""Answers requests of Tests/Interop/run with the Python library in the directory that is the argument."""

import json
import pprint
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])

import pushcrypt  # noqa: E402
from pushcrypt import check  # noqa: E402


def issue(request):
    keys = [pushcrypt.VerificationKey.parse(json.dumps(jwk)) for jwk in request["keys"]]
    root = pushcrypt.SigningKey.parse(json.dumps(request["root"]))
    arguments = [request[name] for name in ("number", "iat", "exp", "audience")]
    return {"text": pushcrypt.issue_signer_list(keys, *arguments, root)}


def carrier_seal(request):
    to = request["to"] if request["row"] is None else pushcrypt.Row.parse(request["row"])
    options = {name: request[name] for name in ("type", "topic", "collapse_id", "priority") if name in request}
    push = check.new_sealer(request).seal(request["payload"], to, **options)
    members = {"payload": push.payload.decode(), "apns_headers": push.headers, "issued_at_ms": push.issued_at_ms}
    return members | check.answered(push, request)


def keyring(request):
    return {"thumbprint": pushcrypt.SigningKeyring.read(request["text"]).key_for(None).thumbprint}


def print_key(request):
    result = check.READERS[request["kind"]].parse(request["text"])
    owner = pushcrypt.Sealer.signed(result) if request["kind"] == "signing" else pushcrypt.Opener(
        [pushcrypt.Account("anna", [result])])
    return {"texts": [text for value in (result, owner, [result]) for text in (str(value), repr(value), pprint.pformat(value))]}


ACTIONS = check.ACTIONS | {"carrier-seal": carrier_seal, "issue": issue, "keyring": keyring, "print": print_key}
for line in sys.stdin:
    print(json.dumps(check.answer(json.loads(line), ACTIONS)))
