"""Sealing of whole payloads, written from the description of the format. It takes the randomness from its caller."""

import json
import re
from dataclasses import dataclass, field

from . import wire
from .wire import Message, base64url

MAXIMUM = {"alert": 4096, "background": 4096, "voip": 5120, "location": 4096, "pushtotalk": 4096, "liveactivity": 4096}
BUCKETS = (256, 512, 1024, 2048)
# The members that stay readable in an alert. In a Live Activity, it is the alert alone.
EXPOSED = ("category", "thread-id", "sound", "badge", "interruption-level", "relevance-score", "target-content-id",
           "filter-criteria", "content-available")
PLACEHOLDER = ("title", "title-loc-key", "title-loc-args", "subtitle", "subtitle-loc-key", "subtitle-loc-args", "body",
               "loc-key", "loc-args")
WITHDRAWAL = {"collapse-ids", "thread-ids", "aps"}


class TooLarge(Exception):
    """The error `payload-too-large`, with the number of bytes by which the message is too long, if it is one message."""

    def __init__(self, excess=None):
        super().__init__(excess)
        self.excess = excess


# MARK: JSON


def minified(text):
    """Removes the white space between tokens, and changes nothing else."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|[ \t\r\n]+', lambda match: match.group(1) or "", text)


def members(text, start=0):
    """The members of an object without white space: name, first and last offset of each value."""
    decoder = json.JSONDecoder()
    position = start + 1
    while text[position] != "}":
        name, position = json.decoder.scanstring(text, position + 1)
        end = decoder.raw_decode(text, position + 1)[1]
        yield name, position + 1, end
        position = end + (text[end] == ",")


def span(text, *path):
    """The first and last offset of a value, or None."""
    start, end = 0, len(text)
    for name in path:
        found = [(first, last) for key, first, last in members(text, start) if key == name]
        if not found or (name != path[-1] and text[found[0][0]] != "{"):
            return None
        start, end = found[0]
    return start, end


# MARK: Padding


def padded_length(needed, limit, padding):
    if needed > limit:
        raise TooLarge(needed - limit)
    if padding == "none":
        return needed
    if padding == "maximum":
        return limit
    return next((bucket for bucket in BUCKETS if needed <= bucket <= limit), limit)


def limit_of(characters):
    """The longest message whose text has at most this many characters."""
    return characters * 3 // 4 - 57


def text_length(message):
    return ((57 + message) * 4 + 2) // 3


def padded_lengths(needed, characters, padding):
    """The padded lengths of the messages of one payload, which share the characters that the frame leaves."""
    if len(needed) < 2:
        return [padded_length(each, limit_of(characters), padding) for each in needed]
    if sum(map(text_length, needed)) > characters:
        raise TooLarge
    half = limit_of(characters // 2)
    if max(needed) <= half:
        return [padded_length(each, half, padding) for each in needed]
    smaller, larger = sorted(needed)
    own = "buckets" if padding == "maximum" else padding
    first = padded_length(smaller, limit_of(characters - text_length(larger)), own)
    second = padded_length(larger, limit_of(characters - text_length(first)), padding)
    return [first if each == smaller else second for each in needed]


# MARK: Visible parts


def placeholder_json(placeholder):
    return wire.compact_json({name: placeholder[name] for name in PLACEHOLDER if name in placeholder})


def exposed_json(original, names):
    """The members behind `mutable-content`, each after a comma."""
    result = ""
    for name in EXPOSED:
        place = span(original, "aps", name) if name in names else None
        if place is None:
            continue
        value = original[place[0] : place[1]]
        if name == "sound" and value.startswith("{"):
            parts = [(part, span(original, "aps", "sound", part)) for part in ("critical", "name", "volume")]
            value = "{" + ",".join(f'"{part}":{original[at[0] : at[1]]}' for part, at in parts if at) + "}"
        result += f',"{name}":{value}'
    return result


@dataclass
class Frame:
    """The visible parts of a payload: one text more than there are messages."""

    texts: list
    kinds: list
    originals: list

    @property
    def length(self):
        return sum(len(text.encode()) for text in self.texts)


def activity_alert(original, placeholder):
    """The visible alert of a Live Activity: the placeholder, and the sound of the original's alert if it is a string."""
    text, sound = placeholder_json(placeholder), span(original, "aps", "alert", "sound")
    if sound and original[sound[0]] == '"':
        text = text[:-1] + f',"sound":{original[sound[0] : sound[1]]}}}'
    return text


def activity_frame(original, placeholder, expose):
    kinds = {"content-state": "activity-state", "attributes": "activity-attributes"}
    places = [(name, span(original, "aps", name)) for name in kinds]
    places = [(at, name) for name, at in places if at and original[at[0]] == "{"]
    alert = span(original, "aps", "alert")
    if alert and "alert" not in expose and original[alert[0] : alert[1]] != "null":
        places.append((alert, "alert"))
    result, position = Frame([""], [], []), 0
    for (start, stop), name in sorted(places):
        result.texts[-1] += original[position:start]
        position = stop
        if name == "alert":
            result.texts[-1] += activity_alert(original, placeholder)
            continue
        result.texts[-1] += '{"ENCRYPTED_DATA":"'
        result.texts.append('"}')
        result.kinds.append(kinds[name])
        result.originals.append(original[start:stop])
    result.texts[-1] += original[position:]
    return result


def frame(kind, original, placeholder, expose, asked=None):
    if kind == "liveactivity":
        return activity_frame(original, placeholder, expose)
    start = {
        "alert": f'{{"aps":{{"alert":{placeholder_json(placeholder)},"mutable-content":1{exposed_json(original, expose)}}}',
        "background": '{"aps":{"content-available":1}',
    }.get(kind, '{"aps":{}')
    message_kind = "notification" if kind == "alert" else kind
    names = {name for name, _, _ in members(original)}
    if kind == "alert" and names <= WITHDRAWAL and names - {"aps"}:
        message_kind = "withdrawal"
    return Frame([start + ',"ENCRYPTED_DATA":"', '"}'], [asked or message_kind], [original])


# MARK: Sealing


@dataclass
class Request:
    """A push to seal. `lifetime` is the lifetime of the message, already limited by the recipient's.

    `message_kind` is the kind that the caller has asked for.
    """

    payload: str
    recipient: wire.Key
    sender: wire.Key | None
    kind: str = "alert"
    message_kind: str | None = None
    lifetime: int = wire.DEFAULT_LIFETIME
    now: int = 0
    padding: str = "buckets"
    placeholder: dict = field(default_factory=lambda: {"body": "(Encrypted)"})
    expose: tuple = ()
    topic: str | None = None
    collapse_id: str | None = None
    priority: int | None = None


def headers(request, original, kinds, message_ids):
    # The state of a Live Activity names the push, even if the attributes are before it.
    name = "activity-state" if "activity-state" in kinds else kinds[0]
    message_kind = kinds[0]
    collapse_id = request.collapse_id
    if message_kind == "withdrawal" and collapse_id is None:
        ids = json.loads(original).get("collapse-ids", [])
        collapse_id = ids[0] if len(ids) == 1 else None
    values = {
        "apns-push-type": request.kind,
        "apns-priority": str(request.priority or (5 if request.kind == "background" else 10)),
        # APNs must not deliver an old push-to-talk push later.
        "apns-expiration": "0" if request.kind == "pushtotalk" else str(request.now // 1000 + request.lifetime),
        "apns-id": wire.apns_id(message_ids[kinds.index(name)]),
        "apns-topic": request.topic,
        "apns-collapse-id": collapse_id,
    }
    return {name: value for name, value in values.items() if value is not None}


def seal(request, ephemeral_secrets, message_ids):
    """The messages, the sealed payload and its headers; raises TooLarge."""
    original = minified(request.payload)
    visible = frame(request.kind, original, request.placeholder, request.expose, request.message_kind)
    payloads = [text.encode() for text in visible.originals]
    if len(original.encode()) > 65_535:
        raise TooLarge
    overhead = 104 if request.sender else 32
    characters = MAXIMUM[request.kind] - visible.length
    lengths = padded_lengths([len(payload) + overhead for payload in payloads], characters, request.padding)
    messages, payload = [], visible.texts[0]
    for index, (content, length) in enumerate(zip(payloads, lengths, strict=True)):
        message = Message(content, message_ids[index], request.now, bytes(length - overhead - len(content)),
                          kind=wire.KINDS[visible.kinds[index]], lifetime=request.lifetime)
        if request.sender:
            encoded = wire.signed(message, request.sender, request.recipient)
        else:
            encoded = message.encoded()
        assert len(encoded) == length
        envelope = wire.envelope(encoded, request.recipient, ephemeral_secrets[index])
        payload += base64url(envelope) + visible.texts[index + 1]
        messages.append({"kind": visible.kinds[index], "message": base64url(encoded)})
    assert len(payload.encode()) <= MAXIMUM[request.kind]
    assert len(payload.encode()) == visible.length + sum(map(text_length, lengths))
    return {"messages": messages, "payload": payload,
            "headers": headers(request, original, visible.kinds, message_ids)}
