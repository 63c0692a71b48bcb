"""Random payloads, as tokens."""

STRINGS = (
    '"plain"', '"0"', '"Grüße aus Köln 👋"', '"日本語のテキスト"', '"שלום, עולם"', '"e\u0301 a\u030a"',
    '"\\u0041\\u00e9\\ud83d\\ude00"', '"tab\\tquote\\"slash\\/backslash\\\\"', '"\\u0000\\u001f\u007f\u2028\u2029\ufeff"',
    '"👩‍👩‍👧‍👦🇩🇪"', '"}],{\\"a\\":[1]"', '""',
)
NUMBERS = ("0", "-0", "7", "1.10", "12345678901234567890", "-3.5e-7", "1E+2", "0.000", "1e400")
LEVELS = ('"passive"', '"active"', '"time-sensitive"')


def value(choice, depth):
    """Returns the tokens of a random value."""
    form = choice.randrange(8 if depth else 5)
    if form < 2:
        return [choice.choice(STRINGS)]
    if form < 4:
        return [choice.choice(NUMBERS)]
    if form == 4:
        return [choice.choice(("true", "false", "null"))]
    if form == 5:
        items = [value(choice, depth - 1) for _ in range(choice.randrange(4))]
        return ["[", *joined(items), "]"]
    return object_({f'"{name}"': value(choice, depth - 1) for name in choice.sample("abcdefghä", choice.randrange(4))})


def joined(items):
    return [token for at, item in enumerate(items) for token in ([","] if at else []) + item]


def object_(members):
    return ["{", *joined([[name, ":", *tokens] for name, tokens in members.items()]), "}"]


def payload(choice, push_type):
    """Returns the tokens of a payload of a push type."""
    aps, root = {}, {}
    if push_type in ("alert", "withdrawal"):
        aps = alert_members(choice, push_type)
    elif push_type == "background":
        aps['"content-available"'] = ["1"]
    if push_type == "withdrawal":
        names = choice.choice((("collapse-ids",), ("thread-ids",), ("collapse-ids", "thread-ids")))
        for name in names:
            ids = [[f'"{name}-{at}~!"'] for at in range(choice.choice((1, 1, 2, 20)))]
            root[f'"{name}"'] = ["[", *joined(ids), "]"]
        return object_(root | ({'"aps"': object_(aps)} if choice.random() < 0.4 else {}))
    if aps or choice.random() < 0.7:
        root['"aps"'] = object_(aps)
    for at in range(choice.randrange(4)):
        root[f'"custom{at} ü"'] = value(choice, 3)
    length = choice.choice((0, 0, 0, 100, 400, 800, 1200))
    root |= {'"filler"': ['"' + "é" * (length // 2) + '"']} if length else {}
    members = list(root.items())
    choice.shuffle(members)
    return object_(dict(members))


def alert_members(choice, push_type):
    text = choice.choice(STRINGS[:4])
    forms = ([text], object_({'"title"': [text], '"body"': [choice.choice(STRINGS)]}),
             object_({'"loc-key"': ['"KEY_%@"'], '"loc-args"': ["[", text, "]"], '"subtitle"': ["null"]}))
    aps = {'"alert"': choice.choice(forms)}
    if push_type == "withdrawal":
        aps = choice.choice((aps, {}, {'"alert"': ['""']}))
        return aps | {'"interruption-level"': ['"passive"']}
    optional = {
        '"category"': ['"MESSAGE"'], '"thread-id"': [choice.choice(STRINGS[:4])], '"badge"': [choice.choice("037")],
        '"sound"': choice.choice((['"default"'], object_(
            {'"volume"': ["0.50"], '"critical"': ["1"], '"name"': ['"bell.caf"']}))),
        '"interruption-level"': [choice.choice(LEVELS)], '"relevance-score"': ["0.250"], '"target-content-id"': ['"window"'],
        '"filter-criteria"': ['"work"'], '"content-available"': ["1"],
    }
    return aps | {name: tokens for name, tokens in optional.items() if choice.random() < 0.3}
