"""The vectors of opening.json about the original payload: JSON that is legal, however odd, and JSON that is not."""

from .corpus import BY_ACME, ORIGINAL, anonymous_push, signed_push


def add_originals_that_open(corpus):
    originals = {
        "empty object": ("{}", "The shortest payload there is."),
        "numbers": (
            '{"aps":{"alert":{"body":"x"}},"n":12345678901234567890,"m":1.10,"e":1E+2,"z":-0,"big":'
            '123456789012345678901234567890.5}',
            "The original's bytes arrive, so that numbers keep their digits."),
        "unicode": (
            '{"aps":{"alert":{"title":"Grüße 👋","body":"日本語 עברית \u2028 \U0001F468\u200D\U0001F469"}},"ключ":"é"}',
            "Text is UTF-8 itself, of every length of sequence."),
        "escapes": (
            r'{"aps":{"alert":{"title":"\u00fc\/\"\\\b\f\n\r\t","body":"\ud83d\ude00 \u0000"}}}',
            "Escapes are not resolved, a slash's needless one included."),
        "white space": (
            ' \t\r\n{ "aps" : { "alert" : "x" } ,\n\t"a" : [ 1 , 2 ] }\r\n',
            "Senders remove white space. If a sender keeps it, it's legal and arrives."),
        "names that only look the same": (
            '{"aps":{"alert":"x"},"\u00e9":1,"e\u0301":2}',
            "Names are compared by their characters as they are: no Unicode normalisation."),
        "same name in two objects": (
            '{"aps":{"alert":"x"},"a":{"n":1},"b":{"n":2},"n":3}',
            "A name may not be repeated within one object; between objects it may."),
        "empty name": ('{"aps":{"alert":"x"},"":{"":[]}}', "An empty name is a name."),
        "name that ends in NUL": (
            r'{"aps":{"alert":"x"},"a":1,"a\u0000":2}', "Names are not C strings: these are two."),
        "64 levels of arrays": (nested("[", "]", 63), "The outermost object is level 1; 64 levels are allowed."),
        "64 levels of objects": (nested('{"a":', "}", 63), "The same with objects."),
        "a number that no machine type holds": (
            '{"aps":{"alert":"x"},"n":1e400}', "RFC 8259 sets no limit to numbers, and opening does not convert them."),
    }
    for name, (original, why) in originals.items():
        corpus.opens(f"original: {name}", why, anonymous_push(original), original)
    original, why = originals["white space"]
    corpus.opens(
        "original: white space, signed", why, signed_push(original), original, accept=BY_ACME, signer="acme")


def nested(opening, closing, levels):
    """An object that holds as many more levels."""
    return '{"a":' + opening * (levels - 1) + ("[]" if opening == "[" else "{}") + closing * (levels - 1) + "}"


def add_malformed_originals(corpus):
    many = ",".join(f'"k{number}":0' for number in range(40))
    cases = {
        "empty": (b"", "No JSON at all."),
        "white space alone": (b" \n", "No JSON at all."),
        "array": (f"[{ORIGINAL}]", "The payload is an object."),
        "string": ('"Original body"', "The payload is an object."),
        "number": ("1", "The payload is an object."),
        "true": ("true", "The payload is an object."),
        "null": ("null", "The payload is an object."),
        "byte order mark": ("\ufeff" + ORIGINAL, "RFC 8259 section 8.1: JSON between systems has none."),
        "UTF-16": (ORIGINAL.encode("utf-16-le"), "JSON between systems is UTF-8."),
        "trailing comma in an object": (ORIGINAL[:-1] + ",}", "RFC 8259 has no such comma."),
        "trailing comma in an array": (ORIGINAL[:-1] + ',"a":[1,]}', "RFC 8259 has no such comma."),
        "leading comma": ("{," + ORIGINAL[1:], "RFC 8259 has no such comma."),
        "missing comma": (ORIGINAL[:-1] + ' "a":1}', "Members are separated by commas."),
        "missing colon": (ORIGINAL[:-1] + ',"a" 1}', "A name is followed by a colon."),
        "missing value": (ORIGINAL[:-1] + ',"a":}', "A colon is followed by a value."),
        "duplicate name": (ORIGINAL[:-1] + ',"aps":{}}', "One reader takes the first of two, another the last."),
        "duplicate name, nested": ('{"aps":{"alert":{"body":"x","body":"y"}}}', "At any depth."),
        "duplicate name, inside of an array": ('{"aps":{},"a":[[{"b":1,"b":1}]]}', "At any depth."),
        "duplicate name by an escape": (
            r'{"aps":{"alert":"x"},"\u0061ps":{}}', "Two spellings of one name are one name."),
        "duplicate name by a surrogate pair": (r'{"😀":1,"\ud83d\ude00":2}', "Two spellings of one name are one name."),
        "duplicate empty name": ('{"":1,"":2}', "An empty name is a name."),
        "duplicate name among many": ("{" + many + ',"k7":1}', "An object of many members is no exception."),
        "lone continuation byte": (b'{"a":"\x80"}', "Not UTF-8."),
        "overlong UTF-8": (b'{"a":"\xc0\xaf"}', "UTF-8 has one spelling for every character."),
        "overlong UTF-8 of three bytes": (b'{"a":"\xe0\x80\xaf"}', "UTF-8 has one spelling for every character."),
        "UTF-8 cut short": (b'{"a":"\xe2\x82"}', "Not UTF-8."),
        "surrogate in UTF-8": (b'{"a":"\xed\xa0\x80"}', "Surrogates are no characters."),
        "UTF-8 above U+10FFFF": (b'{"a":"\xf4\x90\x80\x80"}', "There is no such character."),
        "byte FF": (b'{"a":"\xff"}', "No byte of UTF-8."),
        "invalid UTF-8 in a name": (b'{"\xc3":1}', "Names are strings too."),
        "high surrogate alone": (r'{"a":"\ud800"}', "Half of a pair is no character."),
        "high surrogate before a letter": (r'{"a":"\ud800\u0041"}', "Half of a pair is no character."),
        "low surrogate alone": (r'{"a":"\udc00"}', "Half of a pair is no character."),
        "surrogates in the wrong order": (r'{"a":"\udc00\ud800"}', "The high one comes first."),
        "lone surrogate in a name": (r'{"\udfff":1}', "Names are strings too."),
        "65 levels of arrays": (nested("[", "]", 64), "At most 64 are allowed."),
        "65 levels of objects": (nested('{"a":', "}", 64), "At most 64 are allowed."),
        "object behind the object": (ORIGINAL + ORIGINAL, "The payload is one object and nothing else."),
        "NUL behind the object": (ORIGINAL + "\0", "n is the payload's length, without padding."),
        "brace behind the object": (ORIGINAL + "}", "The payload is one object and nothing else."),
        "cut short": (ORIGINAL[:-1], "The last brace is missing."),
        "wrong bracket": (ORIGINAL[:-1] + "]", "A brace ends what a brace began."),
        "string without an end": ('{"a":"b', "The closing quotation mark is missing."),
        "control character in a string": ('{"a":"\n"}', "RFC 8259 section 7: it has to be escaped."),
        "unknown escape": (r'{"a":"\x41"}', "RFC 8259 section 7 lists the escapes."),
        "escape with three digits": (r'{"a":"\u041"}', "Four hexadecimal digits follow."),
        "escape with capital U": (r'{"a":"\U0041"}', "RFC 8259 section 7 lists the escapes."),
        "single quotation marks": ("{'a':1}", "Strings have double quotation marks."),
        "name without quotation marks": ("{a:1}", "Names are strings."),
        "comment": (ORIGINAL[:-1] + "/* */}", "JSON has no comments."),
        "no-break space between tokens": (ORIGINAL[:-1] + "\u00a0}", "White space is space, tab, LF and CR."),
        "form feed between tokens": (ORIGINAL[:-1] + "\f}", "White space is space, tab, LF and CR."),
    }
    for name, number in {
        "leading zero": "01", "plus sign": "+1", "no digit before the point": ".5", "no digit after the point": "1.",
        "no digit in the exponent": "1e", "hexadecimal": "0x10", "minus sign alone": "-", "NaN": "NaN",
        "infinity": "-Infinity",
    }.items():
        cases[f"number: {name}"] = (f'{{"a":{number}}}', "RFC 8259 section 6 has no such number.")
    cases["True"] = ('{"a":True}', "Words are in lower case.")
    for name, (original, why) in cases.items():
        corpus.fails("malformed-json", f"original: {name}", why, anonymous_push(original))
