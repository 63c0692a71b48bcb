"""The vectors of sealing.json about challenges, which a caller asks for."""

from .challenges import APS, Inputs
from .signer_lists import LARGEST
from .wire import base64url

CHALLENGE = Inputs().payload()
VISIBLE = Inputs().payload(APS)
ASKED = {"kind": "challenge"}
RULE = "challenge"
NONCE = base64url(Inputs().nonce())


def add_challenges(corpus):
    why = "The caller asks for kind 9."
    for push_type in ("background", "alert"):
        for how, sender in {"signed": "acme", "anonymous": None}.items():
            corpus.seals(f"challenge: {push_type}, {how}", why, CHALLENGE, type=push_type, sender=sender, **ASKED)
        for name, payload in {
            "another order": f'{{"expires":{Inputs().expires},"challenge":"{NONCE}"}}',
            "white space": CHALLENGE.replace(":", " :\n"),
            "expiry 0": Inputs().payload(expires="0"), "the largest expiry": Inputs().payload(expires=str(LARGEST)),
            "an escaped name": CHALLENGE.replace('"c', r'"\u0063', 1),
            "a nonce of zeros": Inputs().payload(nonce=bytes(32)),
        }.items():
            corpus.seals(f"challenge: {push_type}, {name}", "The original isn't changed otherwise.", payload,
                         type=push_type, **ASKED)
        for padding in ("maximum", "none"):
            corpus.seals(f"challenge: {push_type}, padding {padding}", why, CHALLENGE, type=push_type, padding=padding,
                         **ASKED)
    for name, aps in {"text": '{"alert":"Check"}', "the string table": APS,
                      "text and a sound": '{"alert":{"body":"x"},"sound":"a"}'}.items():
        corpus.seals(f"challenge: with aps, {name}", "A visible challenge displays aps.", Inputs().payload(aps),
                     type="alert", **ASKED)
    corpus.seals("challenge: with aps, aps first", "JSON doesn't order members.", f'{{"aps":{APS},{CHALLENGE[1:]}',
                 type="alert", **ASKED)
    corpus.seals("challenge: exposed members", "Members of aps can be exposed.",
                 Inputs().payload('{"alert":"Check","thread-id":"t","sound":"a"}'), type="alert",
                 expose=["thread-id", "sound"], **ASKED)
    corpus.seals("challenge: headers", "The sender's headers are kept.", CHALLENGE, type="background",
                 topic="com.example.app",
                 collapse_id="proof", priority=1, **ASKED)
    corpus.seals("challenge: not asked for", "Without the request it is a notification.", VISIBLE, type="alert")
    add_invalid_challenges(corpus)


def add_invalid_challenges(corpus):
    def refused(name, payload, why="The payload has exactly the members of section 14.", rule=RULE, **options):
        corpus.fails("invalid-payload", rule, f"challenge: {name}", why, payload,
                     **(ASKED | {"type": "background"} | options))

    def member(name, **values):
        refused(name, Inputs().payload(**values))

    refused("not asked for, without aps", CHALLENGE, "Without the request it is a background push.", "background",
            kind=None)
    refused("not asked for, without aps in an alert", CHALLENGE, "Without the request it is a notification.", "aps",
            kind=None,
            type="alert")
    for push_type in ("voip", "location", "pushtotalk"):
        refused(f"in {push_type}", CHALLENGE, "It is sealed in a background push or an alert.", type=push_type)
    for name, value in {"missing": None, "empty": '""', "null": "null", "a number": "1", "an array": f'["{NONCE}"]',
                        "padded": f'"{NONCE}="', "of 31 bytes": f'"{base64url(bytes(31))}"',
                        "of 33 bytes": f'"{base64url(bytes(33))}"',
                        "with spare bits": f'"{NONCE[:42]}{chr(ord(NONCE[42]) + 1)}"',
                        "of the other alphabet": f'"+{NONCE[1:]}"',
                        "with a space": f'"{NONCE} "'}.items():
        member(f"a nonce that is {name}" if name.split()[0] not in ("of", "with") else f"a nonce {name}",
               challenge=value)
    for name, value in {"missing": None, "null": "null", "a string": f'"{Inputs().expires}"', "negative": "-1",
                        "negative zero": "-0",
                        "2^53": str(LARGEST + 1), "2^64": str(2**64), "2^64 and more": str(2**64 + Inputs().expires),
                        "a fraction": "1767226500.5", "a decimal": "1767226500.0", "an exponent": "2e9",
                        "true": "true"}.items():
        member(f"an expiry that is {name}", expires=value)
    for name, aps in {"null": "null", "an array": "[]", "a string": '"x"', "false": "false", "a number": "1"}.items():
        for push_type in ("background", "alert"):
            refused(f"aps that is {name}, {push_type}", Inputs().payload(aps), type=push_type)
    refused("an alert that is a number", Inputs().payload('{"alert":1}'), "The alert is a string or an object.",
            "alert-type",
            type="alert")
    for name, payload in {"an unknown member": CHALLENGE[:-1] + ',"k":1}', "an empty name": CHALLENGE[:-1] + ',"":1}',
                          "a withdrawal's member": CHALLENGE[:-1] + ',"thread-ids":["t"]}',
                          "an escaped unknown member": CHALLENGE[:-1] + r',"\u006b":1}', "no members": "{}",
                          "a notification": '{"aps":{"alert":"x"}}',
                          "a background push": '{"aps":{"content-available":1}}',
                          "a withdrawal": '{"thread-ids":["t"]}', "names in capitals": CHALLENGE.replace("challenge",
                              "Challenge")}.items():
        for push_type in ("background", "alert"):
            refused(f"{name}, {push_type}", payload, type=push_type)
    corpus.fails("malformed-json", "original-json", "challenge: a name twice",
                 "Section 6 lists the rules of strict JSON.",
                 CHALLENGE[:-1] + ',"expires":1}', type="background", **ASKED)
    for push_type in ("background", "alert"):
        text = '{"alert":"%s"}' % ("x" * 3000)
        limit = {"background": 2976, "alert": 2955}[push_type]
        excess = len(Inputs().payload(text)) + 104 - limit
        corpus.too_large(f"challenge: too long, {push_type}", "It has the limit of its push.", Inputs().payload(text),
                         excess,
                         type=push_type, **ASKED)
