"""The vectors as a package of a language contains them: requests to its check, with the expected answers, in lines."""

import json

import corpus
import vectors
from implementations import OPENERS

# Members of answers that are JSON text, and compared as values.
TEXTS = {"challenges": ("payload", "visible"), "proofs": ("answer",), "updates": ("row",), "rows": ("row",)}


def text(value):
    return json.dumps(value, separators=(",", ":"))


def opening():
    """Returns the request, the expected answer and the vector of each opening vector."""
    file = corpus.load("opening")
    return [({"do": "open"} | vectors.opening_line(file, vector), vectors.opening_result(file, vector), vector)
            for vector in file["vectors"]]


def unparsed(name, answer, vector):
    """Returns an answer whose JSON is text."""
    if "fails" in answer or name not in TEXTS:
        return answer
    if name == "challenges":
        return {member: vector[member] for member in TEXTS[name]}
    if name == "proofs":
        return {"answer": text({member: vector[member] for member in ("registration", "expires", "proof")})}
    return {member: text(value) if member in TEXTS[name] else value for member, value in answer.items()}


def lines(language):
    """Returns the lines of a language's file: the number of vectors, and each vector that the language runs."""
    groups = vectors.cases()
    if language in OPENERS:
        groups["opening"] = opening()
    rows = [{"name": f"{name}: {vector['name']}", "request": request, "answer": unparsed(name, answer, vector),
             "json": TEXTS.get(name, ())}
            for name, group in groups.items() for request, answer, vector in group
            if not vectors.skip(language, name, vector)]
    return [text(line) + "\n" for line in ({"version": 1, "count": len(rows)}, *rows)]
