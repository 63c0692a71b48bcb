"""The vectors of sealing.json: requests with fixed randomness, and the payloads or errors that follow from them."""

from . import sealing
from .challenge_sealing_vectors import add_challenges
from .corpus import checked
from .key_vectors import PRIME, TOP_BIT, X25519_ORDER_8, jwk, little_endian
from .names import ACME, ALICE, BOB, EPHEMERAL_SECRET, KEYS, MESSAGE_ID, NOW, OTHER_EPHEMERAL_SECRET, OTHER_MESSAGE_ID
from .registration_vectors import registration
from .sealing import MAXIMUM, Request, TooLarge
from .wire import DEFAULT_LIFETIME, MAXIMUM_LIFETIME, base64url, compact_json

ALICE_RAW = base64url(ALICE.public)
ALERT = '{"aps":{"alert":{"title":"Original title","body":"Original body"}}}'
STATE = '{"aps":{"timestamp":1767225600,"event":"update","content-state":{"home":2,"away":1}}}'
START = ('{"aps":{"timestamp":1767225600,"event":"start","content-state":{"home":0},"attributes-type":"Game",'
         '"attributes":{"home":"A","away":"B"},"alert":{"title":"Kick-off","body":"The game starts."}}}')
RICH = ('{"aps":{"alert":{"title":"t"},"badge":3,"sound":{"volume":0.50,"name":"a/b.caf","critical":1,"x":[1]},"thread-id":"th",'
        '"category":"c\\u00fc","target-content-id":"w","interruption-level":"passive","relevance-score":1.0,'
        '"filter-criteria":"f","content-available":1},"k":"v"}')
# A payload of each push type, with the name of its type.
PAYLOADS = {
    "alert": ALERT,
    "background": '{"aps":{"content-available":1},"sync":"orders"}',
    "voip": '{"aps":{},"caller":"Anna"}',
    "location": '{"aps":{},"query":7}',
    "pushtotalk": '{"aps":{},"speaker":"Anna"}',
    "liveactivity": STATE,
}
WITHDRAWAL = '{"collapse-ids":["m-1"]}'
RULES = {
    "recipient-length": "A recipient's key has 32 bytes in strict base64url (section 8).",
    "recipient-canonical": "A recipient's key is canonical (section 3).",
    "recipient-order": "A recipient's key isn't of small order (section 3).",
    "recipient-type": "A recipient's key is an X25519 key (section 8).",
    "recipient-form": "An object without a key is a JWK (section 8).",
    "registration": "A registration has its four members (section 10).",
    "lifetime": "A lifetime is from 1 second to 30 days (section 5).",
    "length": "The message isn't longer than its limit (section 5).",
    "original-length": "The original has at most 65,535 bytes without white space (section 6).",
    "original-json": "The original is one strict JSON object (section 6).",
    "not-sealed-yet": "The original isn't sealed (section 6).",
    "receipt": "The original has no receipt (section 6).",
    "added": "The original has no list of the members that the extension has added (section 6).",
    "aps": "aps is an object, and isn't missing in an alert (section 6).",
    "alert-text": "An alert has text (section 6).",
    "alert-type": "The alert and its texts have their types (section 6).",
    "background": "A background push has content-available, and no alert, badge and sound (section 6).",
    "activity": "A Live Activity push has no members beside aps, and a state. Its sealed values are objects "
    "(sections 2 and 6).",
    "withdrawal": "A withdrawal has its members (section 5).",
    "exposed": "An exposed value isn't an object or array (section 2).",
    "placeholder": "A placeholder has text (section 2).",
    "type": "The push type can be sealed (section 2).",
    "header": "APNs accepts the headers.",
    "challenge": "A challenge has its members, in a background push or an alert (section 14).",
}


class Corpus:
    """Collects vectors; the defaults of a request aren't written."""

    def __init__(self):
        self.vectors = []

    def seals(self, name, why, payload=ALERT, recipient=ALICE, to=None, limit=MAXIMUM_LIFETIME, ephemeral_secrets=None,
              message_ids=None, **options):
        vector = self._vector(name, why, payload, to or base64url(recipient.public), options)
        if ephemeral_secrets:
            vector["ephemeral_secrets"] = list(map(base64url, ephemeral_secrets))
            vector["message_ids"] = list(map(base64url, message_ids))
        request = self._request(payload, recipient, options)
        request.lifetime = min(request.lifetime, limit)
        seals = sealing.seal(request, ephemeral_secrets or EPHEMERAL_SECRETS, message_ids or MESSAGE_IDS)
        self.vectors.append(vector | {"seals": seals})

    def fails(self, code, rule, name, why, payload=ALERT, to=ALICE_RAW, excess=None, **options):
        vector = self._vector(name, why, payload, to, options)
        self.vectors.append(vector | {"fails": code, "rule": rule} | ({} if excess is None else {"excess": excess}))

    def too_large(self, name, why, payload, excess, **options):
        try:
            sealing.seal(self._request(payload, ALICE, options), EPHEMERAL_SECRETS, MESSAGE_IDS)
        except TooLarge as error:
            assert error.excess == excess, (name, error.excess)
        else:
            raise AssertionError(name)
        self.fails("payload-too-large", "length", name, why, payload, excess=excess, **options)

    @staticmethod
    def _request(payload, recipient, options):
        names = {"type": "kind", "kind": "message_kind", "lifetime_s": "lifetime", "now_ms": "now"}
        values = {names.get(name, name): value for name, value in options.items()}
        sender = values.pop("sender", "acme")
        return Request(payload, recipient, KEYS[sender] if sender else None, **({"now": NOW} | values))

    @staticmethod
    def _vector(name, why, payload, to, options):
        sender = options.get("sender", "acme")
        options = {key: value for key, value in options.items() if key != "sender" and (key, value) != ("kind", None)}
        return {"name": name, "why": why, "to": to, "sender": sender} | options | {"payload": payload}


EPHEMERAL_SECRETS = [EPHEMERAL_SECRET, OTHER_EPHEMERAL_SECRET]
MESSAGE_IDS = [MESSAGE_ID, OTHER_MESSAGE_ID]
SENDERS = {"signed": "acme", "anonymous": None}
OVERHEAD = {"signed": 104, "anonymous": 32}
FRAME = {"alert": 80, "background": 51, "voip": 30, "location": 30, "pushtotalk": 30}


def of_length(length, kind="alert"):
    """A payload of a push type with so many bytes."""
    texts = {"alert": '{"aps":{"alert":{"body":"%s"}}}', "background": '{"aps":{"content-available":1},"x":"%s"}'}
    text = texts.get(kind, '{"aps":{},"x":"%s"}')
    return text % ("x" * (length - len(text) + 2))


def longest(kind, how):
    return (MAXIMUM[kind] - FRAME[kind]) * 3 // 4 - 57 - OVERHEAD[how]


# MARK: What seals


def add_types(corpus):
    for how, sender in SENDERS.items():
        for kind, payload in PAYLOADS.items():
            corpus.seals(f"{kind}, {how}", "The ordinary case of the push type.", payload, sender=sender, type=kind)
        for padding in ("maximum", "none"):
            corpus.seals(f"alert, {how}, padding {padding}", "The message has the length that the padding requires.",
                         sender=sender, padding=padding)
    corpus.seals("another recipient", "The key id, the nonce and the signature depend on the recipient.", recipient=BOB)
    corpus.seals("another signer", "The message has the signer's key id.", sender="mallory")
    corpus.seals("another time", "The time has milliseconds, and the expiration has seconds.", now_ms=NOW + 1999)
    corpus.seals("a time after 2038", "Seconds don't fit in 32 bits with a sign.", now_ms=2**31 * 1000 + 7)
    example = '{"aps":{"alert":{"title":"Anna","body":"Grüße aus Köln 👋"},"sound":"default"},"order":12345678901234567890,"sum":1.10}'
    corpus.seals("the worked example", "Section 9 has all intermediate values.", example,
                 ephemeral_secrets=[b"pushcrypt ephemeral for example."], message_ids=[bytes(range(16))])


def add_keys(corpus):
    why = "The forms of a public key are equal."
    corpus.seals("recipient as a JWK", why, to=compact_json(ALICE.public_jwk))
    corpus.seals("recipient as a private JWK", "The sealer uses the public key of it.", to=compact_json(ALICE.private_jwk))
    corpus.seals("recipient as a JWK with another's kid", "The thumbprint is always computed from the key.",
                 to=jwk("X25519", ALICE.public, kid=base64url(BOB.thumbprint)))
    corpus.seals("recipient as a JWK with another's d", "d is compared with x in private keys only.",
                 to=jwk("X25519", ALICE.public, BOB.secret))
    corpus.seals("recipient as a JWK Set", "The only key stands for the set.", to=f'{{"keys":[{jwk("X25519", ALICE.public)}]}}')
    corpus.seals("recipient with white space around it", "White space around the 43 characters is ignored.",
                 to=f" {ALICE_RAW}\n")
    for lifetime in (1, 60, DEFAULT_LIFETIME, MAXIMUM_LIFETIME):
        corpus.seals(f"registration with a lifetime of {lifetime}", "The registration's lifetime shortens the sender's.",
                     to=registration(lifetime=str(lifetime)), limit=lifetime, lifetime_s=DEFAULT_LIFETIME)
    for lifetime in (1, 300, 3600, MAXIMUM_LIFETIME):
        corpus.seals(f"lifetime of {lifetime}", "The message and the expiration have the lifetime.", lifetime_s=lifetime)


def add_originals(corpus):
    originals = {
        "white space": ' \t\r\n{ "aps" : { "alert" : " a  b " } ,\n\t"a" : [ 1 , 2 ] }\r\n',
        "numbers": '{"aps":{"alert":"x"},"n":12345678901234567890,"m":1.10,"e":1E+2,"z":-0,"f":1e400}',
        "escapes": r'{"aps":{"alert":"\u00fc\/\"\\\b\f\n\r\t \ud83d\ude00 \u0000"}}',
        "unicode": '{"aps":{"alert":"Grüße 👋 日本語 \u2028 \U0001F468\u200D\U0001F469"},"ключ":"é"}',
        "order of members": '{"z":1,"aps":{"badge":1,"alert":"x"},"a":2}',
        "an alert that is a string": '{"aps":{"alert":"x"}}',
        "only a subtitle": '{"aps":{"alert":{"title":"","subtitle":"x","body":null}}}',
        "only a loc-key": '{"aps":{"alert":{"loc-key":"K","loc-args":["a"]}}}',
        "the name of the sealed value inside of another member": '{"aps":{"alert":"x"},"a":{"ENCRYPTED_DATA":"x"}}',
        "the name of the receipt inside of another member": '{"aps":{"alert":"x"},"a":{"pushcrypt.receipt":"x"}}',
        "the name of the list of added members inside of another member":
            '{"aps":{"alert":"x"},"a":{"pushcrypt.added":["b"]}}',
        "64 levels": '{"aps":{"alert":"x"},"a":' + "[" * 63 + "]" * 63 + "}",
    }
    for name, original in originals.items():
        corpus.seals(f"original: {name}", "The sender removes white space between tokens, and changes nothing else.", original)
    corpus.seals("original: voip without aps", "Only an alert needs aps.", '{"caller":"Anna"}', type="voip")
    corpus.seals("original: voip that is empty", "The shortest payload.", "{}", type="voip")
    corpus.seals("original: background with true", "true is allowed for content-available.",
                 '{"aps":{"content-available":true,"alert":null}}', type="background")
    for number in ("1.0", "1e0", "10e-1", "1.00000000000000000000000000000001", "0.99999999999999999999999999"):
        corpus.seals(f"original: background with {number}", "The number is 1 in binary64.",
                     f'{{"aps":{{"content-available":{number}}}}}', type="background")


def add_padding(corpus):
    for how, sender in SENDERS.items():
        overhead = OVERHEAD[how]
        for bucket in sealing.BUCKETS:
            for needed in (bucket - 1, bucket, bucket + 1):
                corpus.seals(f"padding: buckets, {how}, {needed} bytes needed", "The smallest bucket that is long enough.",
                             of_length(needed - overhead), sender=sender)
        for kind in FRAME:
            length = longest(kind, how)
            for padding in ("buckets", "none", "maximum"):
                if kind in ("alert", "voip") or padding == "buckets":
                    corpus.seals(f"padding: {padding}, {how}, longest {kind}", "The message has the length of the limit.",
                                 of_length(length, kind), sender=sender, type=kind, padding=padding)
            corpus.too_large(f"length: {how}, {kind}, 1 byte too long", "needed is more than limit.",
                             of_length(length + 1, kind), 1, sender=sender, type=kind)
        corpus.seals(f"padding: buckets, {how}, 1 byte below the limit", "A bucket above 2048 doesn't exist.",
                     of_length(longest("alert", how) - 1), sender=sender)
    for padding in ("maximum", "none"):
        corpus.too_large(f"length: padding {padding}, 1 byte too long", "The padding doesn't change the limit.",
                         of_length(longest("alert", "signed") + 1), 1, padding=padding)
    for excess in (2, 3, 4, 100, 1000):
        corpus.too_large(f"length: {excess} bytes too long", "needed is more than limit.",
                         of_length(longest("alert", "signed") + excess), excess)
    corpus.seals("padding: a long placeholder lowers the limit", "No bucket fits, so the message has the length of the limit.",
                 placeholder={"body": "x" * 3400})
    needed = len(ALERT) + 104
    room = -(-(57 + needed) * 4 // 3)
    body = "x" * (4096 - (FRAME["alert"] - len("(Encrypted)")) - room)
    corpus.seals("padding: the longest placeholder", "The message just fits.", placeholder={"body": body})
    corpus.too_large("length: a placeholder that leaves 1 byte too few", "The placeholder lowers the limit.", ALERT, 1,
                     placeholder={"body": body + "x"})
    corpus.too_large("length: a placeholder of more than 4096 bytes", "The placeholder lowers the limit.", ALERT,
                     needed - ((4096 - 69 - 5000) * 3 // 4 - 57), placeholder={"body": "x" * 5000})
    corpus.fails("payload-too-large", "original-length", "length: an original of 65,536 bytes", "n has 16 bits.",
                 of_length(65_536))
    corpus.seals("length: white space doesn't count", "The original has no white space between tokens.",
                 ALERT + " " * 5000)


def add_visible(corpus):
    for name, placeholder in {
        "title, subtitle and body": {"body": "c", "title": "a", "subtitle": "b"},
        "keys of the string table": {"title-loc-key": "T", "title-loc-args": ["1", "2"], "subtitle-loc-key": "S",
                                     "loc-key": "B", "loc-args": ["x"]},
        "unicode, slash and quotation marks": {"body": 'Grüße/"👋"\\'},
        "an empty title": {"title": "", "body": "x"},
        "control characters": {"body": "\b\t\n\f\r\x01\x1f\x7f\u2028"},
    }.items():
        corpus.seals(f"placeholder: {name}", "The members have a fixed order, and no white space.", placeholder=placeholder)
    for name in sealing.EXPOSED:
        corpus.seals(f"exposed: {name}", "The value is copied byte for byte.", RICH, expose=[name])
    corpus.seals("exposed: all", "The members have a fixed order.", RICH, expose=list(reversed(sealing.EXPOSED)))
    corpus.seals("exposed: alert", "The placeholder stays the only alert.", RICH, expose=["alert"])
    corpus.seals("exposed: alert and other members", "The placeholder stays the only alert.", RICH,
                 expose=["alert", "sound", "badge"])
    corpus.seals("exposed: alert, of a background push", "A background push has no alert.", PAYLOADS["background"],
                 type="background", expose=["alert"])
    corpus.seals("exposed: missing members", "Missing members aren't copied.", expose=list(sealing.EXPOSED))
    corpus.seals("exposed: white space", "White space isn't copied.", '{"aps":{"alert":"x","sound":{ "name" : "a b" }}}',
                 expose=["sound"])
    for name, value in {"an object": '{"a":1}', "an array": "[1]"}.items():
        corpus.fails("invalid-payload", "exposed", f"exposed: {name}", "Such a value could be large and secret.",
                     f'{{"aps":{{"alert":"x","category":{value}}}}}', expose=["category"])
    corpus.fails("invalid-placeholder", "placeholder", "placeholder: without members", "The extension needs text.",
                 placeholder={})
    corpus.fails("invalid-placeholder", "placeholder", "placeholder: of empty texts", "The extension needs text.",
                 placeholder={"title": "", "body": ""})


def withdrawal_of(collapse_ids, thread_ids):
    """A withdrawal with some numbers of ids."""
    return compact_json({"collapse-ids": [f"m-{number}" for number in range(collapse_ids)],
                         "thread-ids": [f"t-{number}" for number in range(thread_ids)]})


def add_withdrawals(corpus):
    for name, payload in {
        "a collapse id": WITHDRAWAL, "two collapse ids": '{"collapse-ids":["m-1","m-2"]}',
        "a thread id": '{"thread-ids":["family"]}',
        "both, with aps": '{"aps":{"alert":{"body":"1 read"}},"collapse-ids":["m-1"],"thread-ids":["a","b"]}',
        "white space": '{ "collapse-ids" : [ "m-1" ] }', "one empty array": '{"collapse-ids":[],"thread-ids":["a"]}',
        "a collapse id of 64 bytes": '{"collapse-ids":["%s"]}' % ("c" * 64),
        "a collapse id of visible ASCII": r'{"collapse-ids":["!~\"\u0041"]}',
        "thread ids of any text": '{"thread-ids":["a b","é"]}',
        "100 collapse ids": withdrawal_of(100, 0), "60 and 40 ids": withdrawal_of(60, 40),
    }.items():
        corpus.seals(f"withdrawal: {name}", "An alert push with only these members is kind 8.", payload)
    corpus.seals("withdrawal: anonymous", "An alert push with only these members is kind 8.", WITHDRAWAL, sender=None)
    corpus.seals("withdrawal: another header", "The sender's collapse id is kept.", WITHDRAWAL, collapse_id="other")
    corpus.seals("withdrawal: another member", "A payload with other members is a notification.",
                 '{"aps":{"alert":"x"},"collapse-ids":["m-1"],"k":1}')
    corpus.seals("withdrawal: in a VoIP push", "Only an alert push is a withdrawal.", WITHDRAWAL, type="voip")
    for name, payload in {
        "empty arrays": '{"collapse-ids":[],"thread-ids":[]}', "a string": '{"collapse-ids":"m-1"}',
        "an empty id": '{"collapse-ids":[""]}', "a number": '{"thread-ids":[1]}',
        "a collapse id of 65 bytes": '{"collapse-ids":["%s","m-1"]}' % ("c" * 65),
        "a collapse id with a space": '{"collapse-ids":["m 1"]}', "a collapse id outside of ASCII": '{"collapse-ids":["é","m-1"]}',
        "a collapse id with a line break": r'{"collapse-ids":["m\r\n1"]}', "a collapse id with DEL": r'{"collapse-ids":["m\u007f"]}',
        "101 collapse ids": withdrawal_of(101, 0), "60 and 41 ids": withdrawal_of(60, 41),
    }.items():
        corpus.fails("invalid-payload", "withdrawal", f"withdrawal: {name}", "The arrays name notifications.", payload)


def add_activities(corpus):
    for how, sender in SENDERS.items():
        for padding in ("buckets", "maximum", "none"):
            corpus.seals(f"activity: start, {how}, padding {padding}", "State and attributes are two messages.", START,
                         type="liveactivity", sender=sender, padding=padding)
    for name, payload in {
        "attributes first": '{"aps":{"attributes":{"a":1},"event":"start","timestamp":1,"attributes-type":"T","content-state":{}}}',
        "end": '{"aps":{"timestamp":1,"event":"end","dismissal-date":1.0,"content-state":{"home":3}}}',
        "attributes that are null": STATE[:-2] + ',"attributes":null}}',
        "white space": '{ "aps" : { "timestamp" : 1, "event" : "update", "content-state" : { "a" : 1 } } }',
        "escaped name": r'{"aps":{"timestamp":1,"event":"update","content\u002dstate":{"a":1}}}',
    }.items():
        corpus.seals(f"activity: {name}", "The rest stays visible, byte for byte.", payload, type="liveactivity")
    for state, attributes in ((1300, 40), (40, 1300), (600, 700), (1200, 1200), (1200, 1100)):
        payload = START.replace('{"home":0}', '{"s":"%s"}' % ("s" * state)).replace(
            '{"home":"A","away":"B"}', '{"a":"%s"}' % ("a" * attributes))
        for padding in ("buckets", "maximum"):
            corpus.seals(f"activity: {state} and {attributes} bytes, padding {padding}", "The messages share the room.",
                         payload, type="liveactivity", padding=padding, sender=None)
    for name, payload in {
        "state": STATE.replace('{"home":2,"away":1}', '{"ENCRYPTED_DATA":"x"}'),
        "attributes": START.replace('{"home":"A","away":"B"}', '{"ENCRYPTED_DATA":"x"}'),
    }.items():
        corpus.fails("already-sealed", "not-sealed-yet", f"activity: sealed {name}", "It must not be sealed twice.", payload,
                     type="liveactivity")
    corpus.fails("invalid-payload", "activity", "activity: a member beside aps", "It would stay readable.",
                 STATE[:-1] + ',"k":1}', type="liveactivity")
    for name, members in {
        "no state": "", "a state that is null": ',"content-state":null', "a state with another name": ',"contentState":{"home":3}',
        "a state in capitals": ',"CONTENT-STATE":{"home":3}', "a state in the alert": ',"alert":{"content-state":{"home":3}}',
        "attributes alone": ',"attributes":{"home":"A"}',
    }.items():
        for event in ("start", "update", "end", "End"):
            corpus.fails("invalid-payload", "activity", f"activity: {event} with {name}",
                         "A sealer never returns a push in which nothing is sealed, or a state stays readable.",
                         '{"aps":{"timestamp":1767225600,"event":"%s"%s}}' % (event, members), type="liveactivity")
    for name, payload in {
        "start without attributes": START.replace(',"attributes":{"home":"A","away":"B"}', ""),
        "start with attributes that are null": START.replace('{"home":"A","away":"B"}', "null"),
        "start with attributes of another name": START.replace('"attributes":', '"attribute":'),
        "attributes' type without attributes": STATE[:-2] + ',"attributes-type":"Game","Attributes":{"home":"A"}}}',
    }.items():
        corpus.fails("invalid-payload", "activity", f"activity: {name}", "Attributes would stay readable.", payload,
                     type="liveactivity")
    corpus.fails("invalid-payload", "activity", "activity: without aps", "aps has the state.", "{}", type="liveactivity")
    corpus.fails("invalid-payload", "activity", "activity: state that is an array", "Only an object can be sealed.",
                 STATE.replace('{"home":2,"away":1}', "[1]"), type="liveactivity")
    corpus.too_large("activity: two messages that don't fit", "The messages share the room.",
                     START.replace('"home":"A"', '"home":"%s"' % ("x" * 2700)), None, type="liveactivity")
    corpus.too_large("activity: a state that doesn't fit", "A single message has all the room.",
                     STATE.replace('"away":1', '"away":"%s"' % ("x" * 3000)), 175, type="liveactivity")


def alerting(alert, is_last=True):
    """A Live Activity push with an alert behind or before the state."""
    members = ['"content-state":{"home":3}', f'"alert":{alert}']
    return '{"aps":{"event":"update",%s,"timestamp":1}}' % ",".join(members if is_last else reversed(members))


ALERTS = {
    "a string": '"HIV result is ready"', "an empty string": '""', "an empty object": "{}",
    "title, subtitle and body": '{"title":"a","subtitle":"b","body":"c"}',
    "keys of the string table": '{"title-loc-key":"A","title-loc-args":["b"],"loc-key":"C","loc-args":["d","e"]}',
    "lines that are keys of the string table": '{"title":{"loc-key":"A","loc-args":["b"]},"body":{"loc-key":"C"}}',
    "a sound": '{"title":"a","sound":"ring.caf"}', "only a sound": '{"sound":"default"}',
    "a sound before the text": '{"sound":"ring.caf","body":"a"}', "a sound that is empty": '{"body":"a","sound":""}',
    "a sound with escapes": r'{"body":"a","sound":"ring\u002ecaf\/\"\ud83d\udd14 ü"}',
    "a sound whose name has an escape": r'{"s\u006fund":"a"}', "white space": '{ "title" : "a" , "sound" : "b" }',
    "a launch image": '{"body":"a","launch-image":"b"}', "null": "null",
}


def add_activity_alerts(corpus):
    def seals(name, why, payload, **options):
        corpus.seals(f"activity alert: {name}", why, payload, type="liveactivity", **options)

    why = "The placeholder replaces the words, and a sound stays. The rest stays visible, byte for byte."
    for name, alert in ALERTS.items():
        seals(f"{name}, before the state", why, alerting(alert, is_last=False))
        seals(f"{name}, behind the state", why, alerting(alert))
    seals("between attributes and state", why,
          '{"aps":{"event":"start","attributes":{"a":1},"alert":"b","attributes-type":"T","content-state":{},"timestamp":1}}')
    seals("anonymous", "The signature makes no difference.", alerting(ALERTS["a sound"]), sender=None)
    seals("a name with an escape", "An escape is the same name.",
          r'{"aps":{"event":"update","al\u0065rt":"a","content-state":{},"timestamp":1}}')
    seals("inside of the state", "It is sealed with the state.",
          '{"aps":{"event":"update","content-state":{"alert":{"body":"a"}},"timestamp":1}}')
    seals("other exposed members", "They have no effect in a Live Activity.", alerting('{"body":"a","sound":"b"},"sound":"c"'),
          expose=["sound", "category"])
    for name in ("a string", "title, subtitle and body", "lines that are keys of the string table", "a sound with escapes",
                 "white space", "null"):
        seals(f"exposed, {name}", "An exposed alert is copied byte for byte.", alerting(ALERTS[name]), expose=["alert"])
    seals("exposed, with attributes", "An exposed alert is copied byte for byte.", START, expose=["badge", "alert"])
    seals("exposed, but missing", "No alert is added.", STATE, expose=["alert"])
    for name, placeholder in {
        "of three lines": {"title": "News", "subtitle": "b", "body": 'Grüße/"\\\x01'},
        "of the string table": {"title-loc-key": "T", "title-loc-args": ["1"], "loc-key": "B", "loc-args": ["x", "y"]},
        "with a title alone": {"title": "News"},
    }.items():
        for alert in ("a string", "a sound"):
            seals(f"{alert}, a placeholder {name}", "The members have a fixed order, and the sound is the last one.",
                  alerting(ALERTS[alert]), placeholder=placeholder)
        seals(f"missing, a placeholder {name}", "No alert is added.", STATE, placeholder=placeholder)
    seals("exposed, a placeholder", "An exposed alert is copied byte for byte.", alerting('"a"'), placeholder={"title": "News"},
          expose=["alert"])
    corpus.fails("invalid-placeholder", "placeholder", "activity alert: a placeholder of empty texts", "The system displays it.",
                 alerting('"a"'), type="liveactivity", placeholder={"title": "", "body": ""})
    seals("a long placeholder", "It leaves less room for the state.", alerting('"a"'), padding="maximum",
          placeholder={"body": "x" * 3000})
    long = START.replace("The game starts.", "x" * 4096)
    seals("longer than the limit", "The words of the alert need no room.", long)
    corpus.too_large("activity alert: exposed, longer than the limit", "An exposed alert needs room.", long, None,
                     type="liveactivity", expose=["alert"])


# MARK: What fails


def add_recipients(corpus):
    def refused(code, rule, name, why, to):
        corpus.fails(code, rule, f"recipient: {name}", why, to=to)

    points = {"0": 0, "1": 1, "p - 1": PRIME - 1}
    for number, order_8 in enumerate(X25519_ORDER_8, 1):
        points[f"point {number} of order 8"] = int.from_bytes(bytes.fromhex(order_8), "little")
    for name, number in points.items():
        refused("invalid-key", "recipient-order", f"{name}", "The shared secret is known to all.",
                base64url(little_endian(number)))
    for name, number in {"p": PRIME, "p + 1": PRIME + 1, "p + 2": PRIME + 2, "p + 18": PRIME + 18}.items():
        refused("invalid-key", "recipient-canonical", name, "The number is below 2^255 - 19.", base64url(little_endian(number)))
    top = little_endian(int.from_bytes(ALICE.public, "little") | TOP_BIT)
    refused("invalid-key", "recipient-canonical", "top bit set", "Its owner couldn't open the message.", base64url(top))
    refused("invalid-key", "recipient-canonical", "top bit set, as a JWK", "The same in another form.", jwk("X25519", top))
    for length in (0, 31, 33):
        key = base64url((ALICE.public + b"\0")[:length])
        refused("malformed-jwk", "recipient-length", f"{length} bytes", "A key has 32 bytes.", key)
    refused("malformed-jwk", "recipient-length", "padded base64url", "The format has no padding.", ALICE_RAW + "=")
    refused("malformed-jwk", "recipient-length", "hexadecimal", "The format is base64url.", ALICE.public.hex())
    refused("wrong-key-type", "recipient-type", "Ed25519 key", "Only X25519 keys are sealed to.", compact_json(ACME.public_jwk))
    refused("malformed-registration", "registration", "registration with a lifetime of 0", "A lifetime is at least 1 second.",
            registration(lifetime="0"))
    refused("malformed-registration", "registration", "registration without a generation", "All members are required.",
            registration(generation=None))
    refused("malformed-registration", "registration", "JWK with a member key", "An object with a key is a registration.",
            jwk("X25519", ALICE.public, key="x"))
    refused("malformed-jwk", "recipient-form", "registration without a key", "An object without a key is a JWK.",
            registration(None))
    refused("invalid-key", "recipient-order", "registration with a key of small order", "The key is checked in each form.",
            registration(jwk("X25519", bytes(32))))


def add_reserved_names(corpus):
    """The extension alone writes these members."""
    add_reserved_name(corpus, "receipt", "pushcrypt.receip", "t", {"a string": '"x"', "null": "null"})
    add_reserved_name(corpus, "added", "pushcrypt.adde", "d", {"an array": '["a"]', "null": "null"})


def add_reserved_name(corpus, rule, start, last, values):
    """Adds originals with a member whose name is `start` and the character `last`."""
    member = start + last
    value = next(iter(values.values()))
    for name, each in values.items():
        corpus.fails("invalid-payload", rule, f"original: {member} is {name}", "The name is reserved.",
                     ALERT[:-1] + f',"{member}":{each}}}')
    corpus.fails("invalid-payload", rule, f"original: {member}, escaped", "An escape is the same name.",
                 ALERT[:-1] + f',"{start}\\u{ord(last):04x}":{value}}}')
    for push_type, payload in {
        "background": '{"aps":{"content-available":1}', "voip": '{"aps":{}', "location": '{"aps":{}', "pushtotalk": '{"aps":{}',
    }.items():
        corpus.fails("invalid-payload", rule, f"original: {member} in {push_type}",
                     "Receivers share the code of their notifications.", payload + f',"{member}":{value}}}', type=push_type)
    corpus.fails("invalid-payload", rule, f"original: {member} beside a withdrawal's members",
                 "An alert with text and other members isn't a withdrawal.",
                 ALERT[:-1] + f',"thread-ids":["x"],"{member}":{value}}}')


def add_invalid(corpus):
    for lifetime in (0, -1, MAXIMUM_LIFETIME + 1, 2**32):
        corpus.fails("invalid-lifetime", "lifetime", f"lifetime: {lifetime}", "A lifetime is from 1 second to 30 days.",
                     lifetime_s=lifetime)
    for name, payload in {
        "empty": "", "array": f"[{ALERT}]", "string": '"x"', "two objects": ALERT + ALERT, "byte order mark": "\ufeff" + ALERT,
        "trailing comma": ALERT[:-1] + ",}", "duplicate name": ALERT[:-1] + ',"aps":{}}',
        "duplicate name by an escape": ALERT[:-1] + r',"\u0061ps":{}}', "lone surrogate": ALERT[:-1] + r',"a":"\ud800"}',
        "65 levels": ALERT[:-1] + ',"a":' + "[" * 64 + "]" * 64 + "}", "cut short": ALERT[:-1],
        "number with a leading zero": ALERT[:-1] + ',"a":01}', "NaN": ALERT[:-1] + ',"a":NaN}',
        "control character": ALERT[:-1] + ',"a":"\n"}', "comment": ALERT[:-1] + "/**/}",
    }.items():
        corpus.fails("malformed-json", "original-json", f"original: {name}", "Section 6 lists the rules of strict JSON.", payload)
    for name, value in {"a string": '"x"', "null": "null", "an object": "{}"}.items():
        corpus.fails("already-sealed", "not-sealed-yet", f"original: ENCRYPTED_DATA is {name}", "The name is reserved.",
                     ALERT[:-1] + f',"ENCRYPTED_DATA":{value}}}')
    corpus.fails("already-sealed", "not-sealed-yet", "original: ENCRYPTED_DATA, escaped", "An escape is the same name.",
                 ALERT[:-1] + r',"ENCRYPTED\u005fDATA":"x"}')
    add_reserved_names(corpus)
    for name, payload in {"missing in an alert": '{"alert":"x"}', "an array": '{"aps":[]}', "a string": '{"aps":"x"}'}.items():
        corpus.fails("invalid-payload", "aps", f"original: aps is {name}", "aps is an object.", payload)
    corpus.fails("invalid-payload", "aps", "original: aps is an array in a VoIP push", "aps is an object.", '{"aps":[]}',
                 type="voip")
    for name, value in {
        "an empty string": '""', "an empty object": "{}", "an empty title": '{"title":""}', "a body that is null": '{"body":null}',
        "only arguments": '{"loc-args":["a"]}', "only a launch image": '{"launch-image":"x"}',
    }.items():
        corpus.fails("no-alert-text", "alert-text", f"alert: {name}", "The extension doesn't run without text.",
                     f'{{"aps":{{"alert":{value}}}}}')
    corpus.fails("no-alert-text", "alert-text", "alert: missing", "The extension doesn't run without text.", '{"aps":{"badge":1}}')
    for name, value in {"a number": "1", "an array": "[]", "a title that is a number": '{"title":1,"body":"x"}'}.items():
        corpus.fails("invalid-payload", "alert-type", f"alert: {name}", "The text is a string or null.",
                     f'{{"aps":{{"alert":{value}}}}}')
    for name, aps in {
        "without content-available": "{}", "with content-available 0": '{"content-available":0}',
        "with content-available 1.5": '{"content-available":1.5}', "with content-available \"1\"": '{"content-available":"1"}',
        "with an alert": '{"content-available":1,"alert":"x"}', "with a badge": '{"content-available":1,"badge":1}',
        "with a sound": '{"content-available":1,"sound":"default"}',
    }.items():
        corpus.fails("invalid-payload", "background", f"background: {name}", "The push only wakes the app.", f'{{"aps":{aps}}}',
                     type="background")
    corpus.fails("invalid-payload", "background", "background: without aps", "content-available is required.", "{}",
                 type="background")
    for kind in ("widgets", "controls", "complication", "fileprovider", "mdm"):
        corpus.fails("not-sealable", "type", f"type: {kind}", "No extension opens such a push.", '{"aps":{},"k":1}', type=kind)


def add_headers(corpus):
    corpus.seals("header: collapse id and topic", "The headers have them.", collapse_id="c" * 64, topic="com.example.app")
    for kind, topic in {"voip": "com.example.app.voip", "location": "com.example.app.location-query",
                        "pushtotalk": "com.example.app.voip-ptt",
                        "liveactivity": "com.example.app.push-type.liveactivity"}.items():
        corpus.seals(f"header: topic of {kind}", "The topic has the suffix of the push type.", PAYLOADS[kind], type=kind,
                     topic=topic)
    corpus.seals("header: topic of 256 characters", "A topic has no limit.", topic="t" * 256)
    for priority in (1, 5, 10):
        corpus.seals(f"header: priority {priority}", "The header has it.", priority=priority)
    corpus.seals("header: background with priority 1", "Only 10 isn't allowed.", PAYLOADS["background"], type="background",
                 priority=1)
    corpus.fails("invalid-header", "header", "header: background with priority 10", "APNs rejects it.", PAYLOADS["background"],
                 type="background", priority=10)
    for name, value in {"of 65 bytes": "c" * 65, "that is empty": "", "with a line break": "a\r\nb: c", "outside of ASCII": "é"}.items():
        corpus.fails("invalid-header", "header", f"header: a collapse id {name}", "It is visible ASCII, at most 64 bytes.",
                     collapse_id=value)
    for kind, suffix in {"voip": ".voip", "location": ".location-query", "pushtotalk": ".voip-ptt",
                         "liveactivity": ".push-type.liveactivity"}.items():
        for name, topic in {"without its suffix": "com.example.app", "that is the suffix alone": suffix,
                            "with the suffix in other letters": "com.example.app" + suffix.upper(),
                            "with the suffix in the middle": f"com{suffix}.app"}.items():
            corpus.fails("invalid-header", "header", f"header: a topic of {kind} {name}",
                         "APNs requires the suffix of the push type.", PAYLOADS[kind], type=kind, topic=topic)
    corpus.seals("header: topic of an alert with another type's suffix", "An app's bundle ID may end like that.",
                 topic="com.example.voip")
    corpus.fails("invalid-header", "header", "header: a topic with a line break", "It would end the header.", topic="a\r\nb: c")


# MARK: The file


def document():
    corpus = Corpus()
    for add in (add_types, add_keys, add_originals, add_padding, add_visible, add_withdrawals, add_challenges, add_activities,
                add_activity_alerts, add_recipients, add_invalid, add_headers):
        add(corpus)
    return checked({
        "description": "Vectors for sealing PushCrypt payloads, wire format version 1. README.md explains the members. "
        "The keys and the fixed randomness are public: they are for tests and protect nothing.",
        "keys": {name: key.private_jwk for name, key in KEYS.items()},
        "ephemeral_secrets": list(map(base64url, EPHEMERAL_SECRETS)),
        "message_ids": list(map(base64url, MESSAGE_IDS)),
        "now_ms": NOW,
        "rules": RULES,
        "vectors": corpus.vectors,
    })
