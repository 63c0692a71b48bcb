"""Answers to challenges, and their expected results, each compared with the generator's own reader."""

import json

from . import challenges
from .challenges import KID, PREVIOUS, SECRET, Inputs, members
from .names import NOW
from .wire import base64url

COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"
MIXED = "0aB1" * 16
USUAL = Inputs()
OTHER = USUAL.with_(carrier="fcm", token="dPz-1:APA91bH_Zx", account="")
BOTH = (SECRET, PREVIOUS)


def body(each=USUAL, proof=None, **changes):
    """An answer. The changes are JSON texts, and None leaves a member out."""
    values = {"registration": json.dumps(each.registration, ensure_ascii=False), "expires": str(each.expires),
              "proof": f'"{base64url(each.proof() if proof is None else proof)}"'}
    return members(values, changes)


def vector(name, why, text, request, secrets, now):
    return {"name": name, "why": why, "body": text, "topic": request.topic, "carrier": request.carrier,
            "account": request.account,
            "token": request.token, "secrets": list(map(base64url, secrets)), "now_ms": now}


def accepts(name, why, each=USUAL, text=None, request=None, secrets=BOTH, now=NOW, generation=3, kid=KID):
    text, request = text or body(each), request or each
    found = challenges.outcome(text, request, secrets, now)
    assert found is None, (name, found)
    return vector(name, why, text, request, secrets, now) | {"generation": generation, "kid": kid}


def refuses(code, rule, name, why, text, request=USUAL, secrets=BOTH, now=NOW, problem=None):
    found = challenges.outcome(text, request, secrets, now, problem)
    assert found == code, (name, found)
    return vector(f"{rule}: {name}", why, text, request, secrets, now) | {"fails": code, "rule": rule}
