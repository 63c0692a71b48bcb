"""Random Live Activities through the sealers that have them, whose payloads are those of the vectors' generator, byte for byte."""

import json
import random
import sys

import corpus
from implementations import SEALERS, filtered
from payloads import STRINGS, joined, object_, value
from vectors import WITHOUT_ACTIVITIES, sealing_request

sys.path.insert(0, str(corpus.VECTORS))
from generator import sealing_vectors  # noqa: E402
from generator.sealing import TooLarge  # noqa: E402

COLUMN = "activities"
COUNT = 300
SPACES = ("", "", "", " ", "\t", "\r\n")
NAMES = ('"title"', '"subtitle"', '"body"', '"loc-key"', '"loc-args"', '"sound"', '"Sound"', r'"s\u006fund"')
PLACEHOLDERS = ({}, {}, {"placeholder": {"title": "News"}}, {"placeholder": {"body": "\U0001f512\n", "title": ""}},
                {"placeholder": {"loc-key": "K", "loc-args": ["1"], "title-loc-key": "T"}})
EXPOSED = ({}, {}, {"expose": ["sound"]}, {"expose": ["alert"]}, {"expose": ["alert", "sound"]})


def alert(choice):
    """Returns the tokens of an alert of any type, mostly an object."""
    if choice.random() < 0.3:
        return value(choice, 2)
    names = choice.sample(NAMES, choice.randrange(5))
    if r'"s\u006fund"' in names and '"sound"' in names:  # They are one name.
        names.remove('"sound"')
    return object_({name: [choice.choice(STRINGS)] if choice.random() < 0.6 else value(choice, 1) for name in names})


def original(choice):
    """Returns the text of a Live Activity push, with white space."""
    state = object_({'"a"': value(choice, 3), '"alert"': value(choice, 1)})
    aps = {'"event"': [choice.choice(('"update"', '"end"', '"start"'))], '"content-state"': state,
           '"attributes"': object_({'"b"': value(choice, 2)}), '"timestamp"': ["1"]}
    aps |= {choice.choice(('"alert"', '"alert"', r'"al\u0065rt"')): alert(choice)} if choice.random() < 0.9 else {}
    aps |= {'"Alert"': value(choice, 2), '"sound"': value(choice, 1)} if choice.random() < 0.2 else {}
    members = list(aps.items())
    choice.shuffle(members)
    tokens = ["{", '"aps"', ":", "{", *joined([[name, ":", *tokens] for name, tokens in members]), "}", "}"]
    return "".join(token + choice.choice(SPACES) for token in tokens)


def generate(seed):
    """Returns vectors of random pushes."""
    choice, result = random.Random(seed), sealing_vectors.Corpus()
    while len(result.vectors) < COUNT:
        options = choice.choice(PLACEHOLDERS) | choice.choice(EXPOSED) | {"sender": choice.choice(("acme", None))}
        try:
            result.seals(str(len(result.vectors)), "", original(choice), type="liveactivity", **options)
        except TooLarge:
            continue
    return result.vectors


def run_all(tool, drivers, seed, report):
    file, vectors = corpus.load("sealing"), generate(seed)

    def run(language):
        answers = filtered(drivers[language], [sealing_request(file, vector) for vector in vectors])
        for vector, answer in zip(vectors, answers, strict=True):
            wanted = {name: vector["seals"][name] for name in ("payload", "headers")}
            report.compare(language, COLUMN, vector["payload"], wanted, json.loads(answer))
        report.expect_count(language, COLUMN, COUNT)

    tool.map(run, [language for language in SEALERS if language not in WITHOUT_ACTIVITIES])
