"""Random messages that every sealer seals and every opener opens."""

import json
import random
import time

import corpus
import randomness
from generator import wire
from implementations import OPENERS, SEALERS, command, filtered
from payloads import payload, value
from vectors import public

SPACES = ("", "", "", " ", "  ", "\t", " \r ")
KINDS = {"alert": "notification", "background": "background", "voip": "voip", "location": "location",
         "pushtotalk": "pushtotalk"}
LIFETIMES = (None, None, '"90s"', '"15m"', '"12h"', '"7d"', '"30d"', "60", "3600", "2592000")
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
EXPOSED = ("category", "thread-id", "sound", "badge", "interruption-level", "relevance-score", "target-content-id",
           "filter-criteria", "content-available", "alert")
# Each is one run of every sealer: signed, padding, exposed members, body of the placeholder.
SETTINGS = [
    (True, "buckets", EXPOSED, None), (False, "buckets", (), None), (True, "maximum", (), None),
    (False, "maximum", EXPOSED[:3], "Neue Nachricht 🔒"), (True, "none", ("badge", "sound"), '"\\'),
    (False, "none", EXPOSED, None),
]


class Message:
    """A line for the sealers, and the expected result."""

    def __init__(self, choice, number, keys, settings):
        self.number, self.settings = number, settings
        self.is_signed, self.padding, self.expose, self.placeholder = settings
        self.recipient = keys["alice" if self.is_signed else "bob"]
        self.type = choice.choice(("alert",) * 5 + ("withdrawal",) + tuple(KINDS))
        tokens = payload(choice, self.type)
        self.kind = KINDS.get(self.type, "withdrawal")
        self.type = "alert" if self.type == "withdrawal" else self.type
        self.original = "".join(tokens)
        self.text = "".join(token + choice.choice(SPACES) for token in tokens)
        self.lifetime_text = choice.choice(LIFETIMES)
        self.lifetime = seconds(self.lifetime_text)
        self.to = self.destination(choice)
        tokens = [(token, choice.choice(SPACES)) for token in value(choice, 2)]
        note = "".join(token + space for token, space in tokens).rstrip(" \t\r")
        # An answer has one space for white space between tokens.
        self.note = "".join(token + (" " if space else "") for token, space in tokens).rstrip(" ")
        members = [f'"id":{number}', f'"to":{self.to}', f'"payload":{self.text}', f'"note" : {note}']
        options_ = {"type": f'"{self.type}"'} if self.type != "alert" or choice.random() < 0.3 else {}
        options_ |= {"lifetime": self.lifetime_text} if self.lifetime_text else {}
        members += [f'"{name}": {text}' for name, text in options_.items()]
        self.kept = sorted({"id", "note", *options_})
        self.line = ("{" + choice.choice(SPACES) + ", ".join(members) + " }").encode()

    def destination(self, choice):
        jwk = public(self.recipient)
        form = choice.randrange(5)
        if form == 0:
            return f'"{jwk["x"]}"'
        if form < 3:
            result = json.dumps(jwk)
        else:
            limit = choice.choice((120, 7200, 2_592_000))
            self.lifetime = min(self.lifetime, limit)
            result = json.dumps({"created": 1_767_225_600, "generation": 3, "key": jwk, "lifetime": limit})
        return json.dumps(result) if form in (2, 4) else result


def seconds(text):
    """Returns the seconds of a lifetime in a line, which is 7 days by default."""
    value_ = json.loads(text or '"7d"')
    return value_ if isinstance(value_, int) else int(value_[:-1]) * UNITS[value_[-1]]


def generate(count, seed):
    """Returns random messages, in groups of one setting each."""
    choice, keys = random.Random(seed), corpus.load("opening")["keys"]
    return [[Message(choice, number, keys, settings) for number in range(at, count, len(SETTINGS))]
            for at, settings in enumerate(SETTINGS)]


def options(message, keyring):
    """Returns the options of seal for a message's settings. They are those of the tool, too."""
    result = ["--sign-with", keyring] if message.is_signed else ["--anonymous"]
    result += ["--padding", message.padding]
    result += ["--expose", ",".join(message.expose)] if message.expose else []
    return result + (["--placeholder-body", message.placeholder] if message.placeholder else [])


def raw_members(line):
    """Returns the texts of an object's values by name."""
    decoder, at, result = json.JSONDecoder(), 1, {}
    while True:
        while line[at] in ", \t\r":
            at += 1
        if line[at] == "}":
            return result
        name, at = decoder.raw_decode(line, at)
        at = line.index(":", at) + 1
        while line[at] in " \t\r":
            at += 1
        first = at
        _, at = decoder.raw_decode(line, at)
        if name in result:
            raise ValueError(f"{name} is a duplicate")
        result[name] = line[first:at]


def library_request(to, payload, **settings):
    """Returns the request to seal to a driver of messages. The keyring is the path of a file."""
    defaults = {"keyring": None, "padding": "buckets", "expose": [], "placeholder": {"body": "(Encrypted)"},
                "type": "alert", "lifetime_s": 604_800}
    return {"do": "message", "to": to, "payload": payload, "reason": True} | defaults | settings


def library_requests(group, keyring):
    """Returns the requests to seal messages of one setting."""
    for message in group:
        settings = {"keyring": str(keyring) if message.is_signed else None, "padding": message.padding, "type": message.type,
                    "expose": message.expose, "lifetime_s": seconds(message.lifetime_text)}
        settings |= {"placeholder": {"body": message.placeholder}} if message.placeholder else {}
        to = json.loads(message.to)
        yield library_request(to if isinstance(to, str) else message.to, message.text, **settings)


def parts_of_line(line):
    """Returns the payload, the headers and the other members of a filter's answer."""
    if any(byte < 0x20 for byte in line):
        raise ValueError("a control character is in the answer")
    members = raw_members(line.decode())
    headers = json.loads(members.pop("headers"))
    payload = members.pop("payload")
    return payload, headers, {"id": members["id"], "note": members["note"], "kept": sorted(members)}


def parts_of_answer(line):
    """Returns the payload and the headers of a driver's answer."""
    answer = json.loads(line)
    return answer["payload"], answer["headers"], {}


def seal_all(groups, keyring, language, libraries, report):
    """Returns the sealed payload of each message, by its number."""
    results = {}
    for group in groups:
        start = int(time.time())
        if language in libraries:
            parts = parts_of_answer
            lines = filtered(libraries[language], list(library_requests(group, keyring)))
        else:
            parts = parts_of_line
            lines = filtered(command(language, "seal") + options(group[0], keyring), [message.line for message in group])
        for message, line in zip(group, lines, strict=True):
            try:
                results[message.number], headers, own = parts(line)
                expiration = int(headers.pop("apns-expiration")) - (0 if message.type == "pushtotalk" else message.lifetime)
                is_timely = expiration == 0 if message.type == "pushtotalk" else start <= expiration <= time.time() + 1
                expected_headers = headers_of(message, results[message.number])
                answer = {"headers": headers, "is_timely": is_timely, **own}
            except (KeyError, ValueError) as error:
                answer, expected_headers = {"line": f"{error!r}: {line.decode()}"}, {}
            members = {} if language in libraries else {"id": str(message.number), "note": message.note, "kept": message.kept}
            wanted = {"headers": expected_headers, "is_timely": True, **members}
            report.compare(language, "lines", message.line.decode(), wanted, answer)
    return results


def headers_of(message, payload):
    """Returns the expected headers, except for the expiration. The sealed payload has the message ID."""
    message_id = randomness.values(payload, message.recipient, message.is_signed)["message ID"]
    headers = {"apns-push-type": message.type, "apns-priority": "5" if message.type == "background" else "10"}
    ids = json.loads(message.original).get("collapse-ids", []) if message.kind == "withdrawal" else []
    headers["apns-id"] = wire.apns_id(message_id)
    return headers | ({"apns-collapse-id": ids[0]} if len(ids) == 1 else {})


def accounts(keys):
    """Returns two accounts: main accepts acme, and guest accepts anyone."""
    return [{"name": "main", "keys": [keys["alice"]], "accept": {"signed_by": [public(keys["acme"])]}},
            {"name": "guest", "keys": [keys["bob"]], "accept": {"anyone": True}}]


def open_all(opener, sealed, messages, keys, start):
    """Returns the results of an opener, without the values that are random."""
    lines = [{"payload": sealed[message.number], "accounts": accounts(keys), "now_ms": int(time.time() * 1000),
              "kinds": ["notification", "withdrawal"] if message.type == "alert" else [message.kind]} for message in messages]
    results = []
    for answer in filtered(command(opener, "open"), lines):
        result = json.loads(answer)
        opened = result.get("opens")
        if opened:
            opened["message_id"] = len(opened["message_id"])
            opened["issued_at_ms"] = start * 1000 <= opened["issued_at_ms"] <= time.time() * 1000 + 1000
        results.append(result)
    return results


def open_by_tool(sealed, messages, arguments):
    """Returns the original, or the error, of each message by its number."""
    lines = [f'{{"id":{message.number},"payload":{sealed[message.number]},"type":"{message.type}"}}'.encode()
             for message in messages]
    answers = filtered([*command("tool", "open"), *arguments], lines, statuses=(0, 65)) if lines else []
    members = [raw_members(answer.decode()) for answer in answers]
    return {int(each["id"]): each.get("payload", each.get("error")) for each in members}


def expected(message, keys):
    return {"opens": {
        "original": message.original, "kind": message.kind, "account": "main" if message.is_signed else "guest",
        "signer": keys["acme"]["kid"] if message.is_signed else None, "message_id": 22, "issued_at_ms": True,
        "lifetime_s": message.lifetime}}


def cross(tool, libraries, groups, report):
    """Seals all messages by each sealer, and opens all of them by each opener."""
    keys, start = corpus.load("opening")["keys"], int(time.time())
    messages = [message for group in groups for message in group]
    keyring = tool.keyring([keys["acme"]])
    rings = {True: tool.keyring([keys["alice"]]), False: tool.keyring([keys["bob"]])}
    acme = tool.file(json.dumps(public(keys["acme"])))
    sealers = (*SEALERS, "tool")
    sealed = dict(zip(sealers, tool.map(lambda sealer: seal_all(groups, keyring, sealer, libraries, report), sealers), strict=True))
    randomness.check(sealed, messages, report)
    for sealer, payloads in sealed.items():
        found = [message for message in messages if message.number in payloads]
        for opener, results in zip(OPENERS, tool.map(
                lambda opener, payloads=payloads, found=found: open_all(opener, payloads, found, keys, start), OPENERS),
                strict=True):
            for message, result in zip(found, results, strict=True):
                report.compare(sealer, opener, message.line.decode(), expected(message, keys), result)

        originals = {}
        for is_signed, accept in ((True, ["--signed-by", acme]), (False, ["--anyone"])):
            originals |= open_by_tool(payloads, [message for message in found if message.is_signed == is_signed],
                                      ["--keyring", rings[is_signed], *accept])
        for message in found:
            report.compare(sealer, "tool", message.line.decode(), message.original, originals.get(message.number))
            # All sealers write the same visible text and the same length.
            shapes = [shape(sealed[name].get(message.number, "")) for name in (sealer, "python")]
            report.compare(sealer, "same shape", message.line.decode(), shapes[1], shapes[0])


def shape(sealed):
    """Returns a sealed payload without its sealed text, and the length of that."""
    before, _, rest = sealed.partition('"ENCRYPTED_DATA":"')
    text, _, after = rest.partition('"')
    return before, len(text), after
