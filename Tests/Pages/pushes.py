"""Pushes of many kinds, the pages that the tool writes of them, and what these pages must display."""

import base64
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FALLBACK = {"body": "(Encrypted)"}
PAYMENT = {"aps": {
    "alert": {"title": "Card payment", "subtitle": "Account ending 4421",
              "body": "You paid 1,249.00 € to Löwen Apotheke, Berlin."},
    "badge": 3, "sound": "payment.caf", "thread-id": "card-4421", "category": "PAYMENT"}, "link": "app://cards/4421"}

# Texts that would become markup, a script or a request on a page that doesn't escape them.
INJECTIONS = (
    "<script>hit()</script>\"><img src=https://evil.example/a onerror=hit()>'onmouseover='hit()' x='",
    "</title></style></code></main><svg onload=hit()><style>@import url(https://evil.example/b);*{display:none}</style>",
    "<iframe srcdoc='<script>hit()</script>'></iframe><meta http-equiv=refresh content='0;url=https://evil.example/c'>",
    "<base href=https://evil.example/><link rel=stylesheet href=d><a href=javascript:hit() autofocus onfocus=hit()>e</a>",
    "\u202e\u2066\u200b\ufeff {{7*7}} ${hit()} `x` \\ <!-- --!> <![CDATA[ ]]> &lt;script&gt; &#60;script&#62; &amp;",
)
# Characters that the tool escapes, because they hide or turn the characters around them.
DANGEROUS = "\u202e\u2066\u2067\u2069\u200e\u200f\u200b\ufeff\u2028\x7f\x1b\x00\t\r"


def safe(text):
    """A text as the tool displays it."""
    return "".join(f"\\u{{{ord(each):X}}}" if each in DANGEROUS else each for each in text)


@dataclasses.dataclass
class Case:
    """A page, and what it must display."""

    name: str
    path: pathlib.Path
    title: str
    content: dict
    delivered: bytes
    reasons: list
    limit: int = 4096
    findings: list = ()
    # What the page must have, so that its check isn't empty.
    needs: tuple = ()

    @property
    def payload(self):
        return json.loads(self.delivered)

    @property
    def sealed(self):
        """The sealed values that are well-formed, by their location."""
        found = {}
        aps = self.payload.get("aps", {})
        for place, holder in [("", self.payload), ("aps.attributes.", aps.get("attributes")),
                              ("aps.content-state.", aps.get("content-state"))]:
            if isinstance(holder, dict) and "ENCRYPTED_DATA" in holder:
                found[place + "ENCRYPTED_DATA"] = holder["ENCRYPTED_DATA"]
        return found

    @property
    def values(self):
        """The readable values as the page names and displays them."""
        return [(safe(".".join(name if len(name) <= 64 else name[:64] + "…" for name in path)), safe(shown))
                for path, shown in self.leaves]

    @property
    def leaves(self):
        return [(path, shown) for path, shown in leaves(self.payload, ()) if ".".join(path) not in self.sealed]

    @property
    def marks(self):
        """The findings of each readable value, which lint names by a JSON pointer (RFC 6901)."""
        pointers = ["".join("/" + name.replace("~", "~0").replace("/", "~1") for name in path) for path, _ in self.leaves]
        return [[sentence(each) for each in self.findings if each.get("pointer") == pointer] for pointer in pointers]

    @property
    def properties(self):
        """What a lock screen has without displaying it."""
        names = {"sound": "Sound", "thread-id": "Thread", "category": "Category", "filter-criteria": "Filter criteria",
                 "launch-image": "Launch image", "interruption-level": "Interruption level"}
        return [(name, safe(str(self.content[key]))) for key, name in names.items() if key in self.content]


def sentence(finding):
    """A finding as the page displays it."""
    return safe(f"{finding['severity']}: {finding['message']} {finding['fix']} [{finding['rule']}]")


def leaves(value, path):
    """The values of JSON in their order, each with its path and as JSON."""
    if isinstance(value, dict) and value:
        for name, each in value.items():
            yield from leaves(each, (*path, name))
    elif isinstance(value, list) and value:
        for index, each in enumerate(value):
            yield from leaves(each, (*path, str(index)))
    else:
        yield path, json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def content(payload):
    """What a device displays of an original, by Apple's names."""
    aps = payload["aps"]
    alert = aps.get("alert", {})
    alert = {"body": alert} if isinstance(alert, str) else alert
    others = ("badge", "sound", "thread-id", "category", "filter-criteria", "interruption-level")
    shown = {name: alert[name] for name in ("title", "subtitle", "body", "launch-image") if alert.get(name)}
    return shown | {name: aps[name] for name in others if name in aps}


class Workshop:
    """A directory with keys, pushes and pages."""

    def __init__(self, tool, directory, style=None):
        self.command, self.path, self.style = tool, pathlib.Path(directory), style
        (self.path / "Keys").mkdir()
        for name in "test-device", "test-server":
            copy = self.path / "Keys" / f"{name.removeprefix('test-').replace('device', 'keyring')}.jwks"
            shutil.copy(ROOT / "Keys" / f"{name}.jwks", copy)
            # A clone doesn't keep this mode.
            copy.chmod(0o600)
            public = (ROOT / "Keys" / f"{name}.public.jwk").read_text()
            (self.path / f"{name.removeprefix('test-')}.jwk").write_text(public)
        self.run("keygen", "--new", "--keyring", "other.jwks")
        self.run("keygen", "--new", "--use", "sig", "--keyring", "thief.jwks")
        self.cases, self.work, self.pool = [], [], concurrent.futures.ThreadPoolExecutor(4)

    def run(self, *arguments, data=b"", status=(0,)):
        environment = {**os.environ, "PUSHCRYPT_KEYRING": ""}
        environment.pop("PUSHCRYPT_KEYRING")
        result = subprocess.run([self.command, *map(str, arguments)], input=data, capture_output=True, cwd=self.path,
                                env=environment, check=False)
        if result.returncode not in status:
            raise RuntimeError(f"{arguments}: {result.returncode}, {result.stderr.decode()[:500]}")
        return result.stdout

    def seal(self, original, *options, signer="Keys/server.jwks"):
        data = original if isinstance(original, bytes) else json.dumps(original, ensure_ascii=False).encode()
        return self.run("seal", "--to", "device.jwk", "--sign-with", signer, *options, data=data).strip()

    def write(self, path, *arguments, data, status=0):
        """Writes a page, with this directory's style instead of the tool's if one is given."""
        self.run(*arguments, "-o", path, data=data, status=(status,))
        if self.style:
            page = path.read_text()
            start, end = page.index("<style>\n") + 8, page.index("</style>")
            path.write_text(page[:start] + self.style.read_text() + page[end:])

    def add(self, case, *arguments, options, status):
        """Adds a case, whose page and findings are written meanwhile."""
        def work():
            lint = self.run("lint", "--anonymous", "--json", *options, data=case.delivered, status=(0, 65))
            case.findings = json.loads(lint)["findings"]
            self.write(case.path, *arguments, *options, "--html", data=case.delivered, status=status)

        self.cases.append(case)
        self.work.append(self.pool.submit(work))

    def finish(self):
        for each in self.work:
            each.result()
        self.pool.shutdown()

    def preview(self, name, delivered, shown, reason=None, keyring="Keys/keyring.jwks", **others):
        reasons = [f"[{reason}]"] if reason else []
        if b"ENCRYPTED_DATA" not in delivered:
            reasons.append("The payload isn't sealed")
        case = Case(name, self.path / f"{len(self.cases)}.html", "A push on the device", shown, delivered, reasons,
                    **others)
        self.add(case, "preview", "--keyring", keyring, "--signed-by", "server.jwk", options=(), status=65 if reason else 0)

    def inspect(self, name, payload, *options, status=0, limit=4096, **others):
        delivered = payload if isinstance(payload, bytes) else json.dumps(payload, ensure_ascii=False).encode()
        reasons = [] if b"ENCRYPTED_DATA" in delivered else ["The payload isn't sealed"]
        case = Case(name, self.path / f"{len(self.cases)}.html", "A push on its way", content(json.loads(delivered)),
                    delivered, reasons, limit=limit, **others)
        self.add(case, "inspect", options=options, status=status)


def write_pages(shop):
    """Writes a page of each kind of push."""
    sealed = shop.seal(PAYMENT)
    shop.preview("opened", sealed, content(PAYMENT))
    shop.inspect("a sealed push", sealed)
    shop.inspect("an unsealed push", PAYMENT)
    shop.preview("a fallback: no key matches", sealed, FALLBACK, "unknown-key", keyring="other.jwks")
    shop.preview("forged: another signer", shop.seal(PAYMENT, signer="thief.jwks"), FALLBACK, "unknown-signer")
    value = json.loads(sealed)["ENCRYPTED_DATA"]
    changed = value[:-9] + ("A" if value[-9] != "A" else "B") + value[-8:]
    shop.preview("forged: a changed byte", sealed.replace(value.encode(), changed.encode()), FALLBACK, "decryption-failed")
    forged = {"aps": {"alert": {"title": "Your account is locked", "body": "Call 0900 12345."}, "mutable-content": 1}}
    shop.preview("forged: unsealed", json.dumps(forged).encode(), FALLBACK, "not-sealed")
    exposed = shop.seal(PAYMENT, "--expose", "category,sound,badge,thread-id", "--placeholder-title", "Example Bank")
    shop.preview("with exposed keys", exposed, content(PAYMENT))
    shop.inspect("with exposed keys, in a review", exposed)
    write_texts(shop)
    write_injections(shop)
    write_sizes(shop)
    shop.finish()


def write_texts(shop):
    def alert(**texts):
        return {"aps": {"alert": texts}}

    word, words = "Donaudampfschifffahrtsgesellschaft" * 9, "The quick brown fox jumps over the lazy dog. " * 30
    address = "https://example.com/" + "a/b?c=d&" * 40
    for name, original, needs in [
        ("long texts", alert(title=word[:280], subtitle=words[:200], body=words + address), ()),
        ("lines and spaces", alert(title="One\nTwo", body="  first\n\n    second   third"), ()),
        ("Arabic", alert(title="دفع بالبطاقة!", subtitle="مرحبا", body="لقد دفعت 12,50 € في برلين."), ("right-to-left",)),
        ("Hebrew with English", alert(title="שלום!", body="שילמת EUR 12.50.\nThank you!"), ("right-to-left",)),
        ("emoji", alert(title="👩‍👩‍👧‍👦 family", subtitle="👍🏽 🇩🇪 1️⃣", body="❤️‍🔥 done ✅ नमस्ते 你好 e\u0301"), ()),
        ("hidden characters", alert(title="pay\u202eeur", body="a\u200bb\u2066c\u2028d\te"), ()),
        ("a body alone", {"aps": {"alert": "Hello"}}, ()),
    ]:
        shown = {key: safe(text) for key, text in content(original).items()}
        shop.preview(name, shop.seal(original), shown, needs=needs)
        shop.inspect(f"{name}, unsealed", json.dumps(original, ensure_ascii=False).encode(), needs=needs)
        shop.cases[-1].content = shown


def write_injections(shop):
    """Each attempt in each value that a sender or an attacker writes."""
    for number, text in enumerate(INJECTIONS, 1):
        original = {"aps": {
            "alert": {"title": text, "subtitle": text, "body": text, "launch-image": text}, "sound": text, "thread-id": text,
            "category": text, "filter-criteria": text, "target-content-id": text}, f"custom {text}": text}
        shown = {key: safe(each) for key, each in content(original).items()}
        shop.preview(f"injection {number}", shop.seal(
            original, "--placeholder-title", text, "--placeholder-body", text,
            "--expose", "sound,thread-id,category,filter-criteria,target-content-id"), shown)
        original["aps"] |= {"badge": text, "interruption-level": text, text: text, "content-state": {text: [text]}}
        original |= {"ENCRYPTED_DATA": text}
        shop.inspect(f"injection {number}, unsealed", original, status=65, needs=("findings",))
        shop.cases[-1].content = shown


def write_sizes(shop):
    for padding in "none", "buckets", "maximum":
        shop.inspect(f"padding {padding}", shop.seal(PAYMENT, "--padding", padding))
    shop.inspect("too long", {"aps": {"alert": "a" * 5000}}, needs=("findings",))
    shop.inspect("empty", {"aps": {}}, needs=("findings",))
    shop.inspect("many values", {"aps": {"alert": "a"}, **{f"key-{n}": n for n in range(200)}})
    wrong = {"aps": {"alert": {"title": "t", "body": "4111 1111 1111 1111"}, "badge": -1, "titel": "x",
                     "interruption-level": "loud"}}
    shop.inspect("findings", wrong, needs=("findings", "marks"))
    shop.cases[-1].content.pop("interruption-level")
    start = {"aps": {
        "timestamp": 1767225600, "event": "start", "content-state": {"minutes": 12}, "attributes-type": "Order",
        "attributes": {"order": "4711"}, "alert": {"title": "Order", "body": "On its way"}}}
    sealed = shop.seal(start, "--type", "liveactivity")
    shop.inspect("a Live Activity", sealed, "--type", "liveactivity", needs=("two sealed values",))
    shop.inspect("a VoIP push", shop.seal({"aps": {}, "caller": "Anne"}, "--type", "voip"), "--type", "voip", limit=5120)


def message_length(value):
    """The length of the message in a sealed value, with its padding."""
    return len(base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))) - 57
