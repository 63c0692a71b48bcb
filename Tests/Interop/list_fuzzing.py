"""Mutated lists of accepted keys through all languages that verify lists: each gives the same outcome or the same code."""

import json
import random

from fuzzing import mutated_bytes, mutated_text
from generator import names, signer_lists
from implementations import FILTERS, filtered
from lists import COLUMN, request

BATCH = 500
SHARE = 50  # One list for so many payloads.
AUDIENCES = {None: None, "production": '"production"', "": '""', "caf\u00e9": '"caf\\u00e9"', "cafe\u0301": '"cafe\\u0301"'}
NUMBERS = ("0", "1", "6", "7", "8", str(2 ** 53 - 1), str(2 ** 53), str(2 ** 64), "1.0", "1e3", "-1", "01", '"7"',
           "1767225599", "1767225600", "1767225601")


class Fuzzer:
    def __init__(self, seed):
        self.choice = random.Random(seed)

    def next(self):
        """Returns the request for a list in which something may be changed before or after the signature."""
        choice = self.choice
        root = choice.choice((signer_lists.FIRST, signer_lists.FIRST, signer_lists.SECOND, signer_lists.FOREIGN))
        audience, written = choice.choice((None, *AUDIENCES)), choice.choice((None, *AUDIENCES.values()))
        changes = {name: choice.choice(NUMBERS) for name in ("number", "iat", "exp") if choice.random() < 0.2}
        keys = choice.sample([names.ACME, names.MALLORY, *signer_lists.SIGNERS[:3]], choice.randint(1, 3))
        parts = [signer_lists.header(root), signer_lists.content(*keys, aud=written if choice.random() < 0.5 else AUDIENCES[audience],
                                                                 **changes)]
        at = choice.randrange(4)
        if at < 2:
            parts[at] = mutated_text(choice, parts[at])
        data = [part.encode("utf-8", "surrogatepass") for part in parts]
        if choice.random() < 0.05:
            data[at % 2] = mutated_bytes(choice, data[at % 2], 1)
        texts = [mutated_text(choice, text) if choice.random() < 0.05 else text for text in map(signer_lists.encoded, data)]
        text = signer_lists.signed(*(text.encode("ascii", "ignore").decode() for text in texts),
                                   choice.choice((root, root, root, signer_lists.SECOND)))
        if choice.random() < 0.1:
            text = mutated_text(choice, text).encode("utf-8", "ignore").decode()
        roots = choice.choice((("first", "second"), ("second", "first"), ("first",)))
        return request("signer-list", audience, roots, stored=self.stored(text), now_ms=names.NOW, text=text)

    def stored(self, text):
        """Returns a list that the device has stored, or None."""
        earlier = [{"number": "6"}, {"number": "7", "note": "1"}, {"number": "8"}, {"number": "9", "root": signer_lists.SECOND}]
        form = self.choice.randrange(len(earlier) + 3)
        return signer_lists.signer_list(**earlier[form]) if form < len(earlier) else text if form == len(earlier) else None


def run(count, seed, tool, drivers, report):
    """Returns how often each outcome occurred."""
    fuzzer, codes = Fuzzer(seed), {}
    for start in range(0, count // SHARE, BATCH):
        requests = [fuzzer.next() for _ in range(min(BATCH, count // SHARE - start))]
        results = tool.map(lambda name, requests=requests: [json.loads(text) for text in filtered(drivers[name], requests)], FILTERS)
        for each, *answers in zip(requests, *results, strict=True):
            code = answers[0].get("fails", answers[0].get("outcome"))
            codes[code] = codes.get(code, 0) + 1
            for language, answer in zip(FILTERS, answers, strict=True):
                answer = {name: value for name, value in answer.items() if value is not None}
                report.compare(language, COLUMN, json.dumps(each), answers[0], answer)
    return codes
