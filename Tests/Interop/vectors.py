"""All vectors through all languages: openers by their filter, everything else by their drivers."""

import json

import carriers
import corpus
import proofs
from implementations import FILTERS, OPENERS, command, filtered

MAXIMUM = {"voip": 5120}
WITHOUT_ACTIVITIES = ("python", "php", "ruby")
# An empty string in Go's options is no collapse id.
EMPTY_STRINGS = ("header: a collapse id that is empty",)
# What a language that only seals doesn't run. Its keys are those of devices, and its own private ones.
BEYOND_SEALING = ("lists", "accepted_keys", "challenges", "proofs", "answers", "refusals")
OTHER_KEYS = ("recipient-private", "verification")


def is_beyond_sealing(corpus_name, vector):
    """Returns true if a vector needs lists of keys, proofs of possession, or keys that a sealer doesn't read."""
    has_proof = vector.get("proofs") or vector.get("proved") or "proofs_since_ms" in vector or vector.get("kind") == "challenge"
    return corpus_name in BEYOND_SEALING or corpus_name == "keys" and vector["kind"] in OTHER_KEYS or has_proof


def skip(language, corpus_name, vector):
    """Returns the documented reason for skipping a vector, or None."""
    if language == "node" and corpus_name == "proofs":
        return "proofs of devices"
    if language not in FILTERS and is_beyond_sealing(corpus_name, vector):
        return "more than sealing"
    if language in WITHOUT_ACTIVITIES and vector.get("type") == "liveactivity":
        return "Live Activities"
    if language == "go" and corpus_name == "sealing" and vector["name"] in EMPTY_STRINGS:
        return "empty strings"
    return None


def opening_line(file, vector):
    """Returns the line of an opening vector for the filter open."""
    keys = file["keys"]
    accounts = [{
        "name": account["name"], "keys": [keys[name] for name in account["keys"]],
        "accept": {"signed_by": [public(keys[name]) for name in account["accept"]["signed_by"]]}
        if "signed_by" in account["accept"] else {"anyone": True},
    } for account in vector["accounts"]]
    content = {name: vector[name] for name in ("payload", "userInfo-value") if name in vector}
    return content | {"accounts": accounts, "kinds": vector.get("kinds", file["kinds"]),
                      "now_ms": vector.get("now_ms", file["now"])}


def public(key):
    return {name: value for name, value in key.items() if name != "d"}


def opening_result(file, vector):
    if "fails" in vector:
        return {"fails": vector["fails"]}
    opens = vector["opens"]
    return {"opens": opens | {"signer": opens["signer"] and file["keys"][opens["signer"]]["kid"]}}


def sealing_request(file, vector):
    defaults = {name: file[name] for name in ("now_ms", "ephemeral_secrets", "message_ids")}
    skipped = ("name", "why", "seals", "fails", "rule", "excess")
    request = defaults | {name: value for name, value in vector.items() if name not in skipped}
    return request | {"do": "seal", "sender": vector["sender"] and file["keys"][vector["sender"]]}


def padding_request(signer, vector):
    names = ("type", "frame", "padding", "lengths")
    return {name: vector[name] for name in names} | {
        "do": "pad", "sender": signer if vector["signed"] else None, "maximum": MAXIMUM.get(vector["type"], 4096)}


def device_request(file, action, vector, *names):
    """Returns the request of a device with its pinned roots and audience."""
    roots = [public(file["keys"][name]) for name in vector["roots"]]
    return {"do": action, "roots": roots, "audience": vector["audience"]} | {name: vector[name] for name in names}


def expected(vector, *names):
    return {"fails": vector["fails"]} if "fails" in vector else {name: vector[name] for name in names}


def updated(vector):
    """Returns the row after the update, the stale answer, or the error."""
    if "fails" in vector:
        return {"fails": vector["fails"]}
    if "stale" in vector:
        return {"fails": "stale-generation", "generation": vector["stale"]}
    return {"row": vector["stored"]}


def cases():
    """Returns the request, the expected answer and the vector of all driver tests, by corpus."""
    names = ("keys", "sealing", "padding", "apns-ids", "registrations", "signer-lists")
    keys, sealing, padding, apns_ids, registrations, lists = map(corpus.load, names)
    signer = sealing["keys"]["acme"]
    return {
        "keys": [({"do": "key", "kind": vector["kind"], "text": vector["text"]}, expected(vector, "thumbprint", "key_id"),
                  vector) for vector in keys["vectors"]],
        "registrations": [({"do": "registration", "text": vector["text"]},
                           expected(vector, "generation", "lifetime", "signers"), vector)
                          for vector in registrations["registrations"]],
        "lists": [(device_request(lists, "signer-list", vector, "stored", "now_ms", "text"),
                   expected(vector, "outcome", "number", "kids"), vector) for vector in lists["lists"]],
        "accepted_keys": [(device_request(lists, "accepted-keys", vector, "stored"), expected(vector, "kids"), vector)
                          for vector in lists["accepted_keys"]],
        "choices": [({"do": "choice"} | {name: vector[name] for name in ("keyring", "signers")}, expected(vector, "kid"), vector)
                    for vector in lists["choices"]],
        "tokens": [({"do": "token", "text": vector["token"]}, expected(vector, "stored"), vector)
                   for vector in registrations["tokens"]],
        "updates": [({"do": "update"} | {name: registrations[name] for name in ("token", "account", "now_ms")}
                     | {name: vector[name] for name in ("row", "others", "text")}, updated(vector), vector)
                    for vector in registrations["updates"]],
        "padding": [(padding_request(signer, vector), expected(vector, "padded"), vector) for vector in padding["vectors"]],
        **proofs.cases(corpus.load("challenges")), **carriers.cases(corpus.load("carriers")),
        "apns-ids": [({"do": "apns-id", "message_id": vector["message_id"]}, expected(vector, "apns_id"), vector)
                     for vector in apns_ids["vectors"]],
        "sealing": [(sealing_request(sealing, vector),
                     {name: vector["seals"][name] for name in ("payload", "headers")} if "seals" in vector
                     else {"fails": vector["fails"]}, vector) for vector in sealing["vectors"]],
    }


def run_opener(language, report):
    """Runs the opening vectors through a language."""
    file = corpus.load("opening")
    lines = [opening_line(file, vector) for vector in file["vectors"]]
    answers = [json.loads(answer) for answer in filtered(command(language, "open"), lines)]
    for vector, answer in zip(file["vectors"], answers, strict=True):
        report.compare(language, "opening", vector["name"], opening_result(file, vector), answer)


def run_language(language, driver, report):
    """Runs all vectors through a language."""
    if language in OPENERS:
        run_opener(language, report)
    groups = cases() | {"pushes": carriers.push_cases(corpus.load("carriers"))}
    wanted = [(name, case) for name, group in groups.items() for case in group]
    tested = []
    for name, case in wanted:
        reason = skip(language, name, case[2])
        if reason:
            report.skip(language, name, reason)
        else:
            tested.append((name, case))
    answers = filtered(driver, [case[0] for _, case in tested])
    for (name, (_, wanted_answer, vector)), answer in zip(tested, answers, strict=True):
        got = proofs.comparable(name, json.loads(answer))
        if name in ("updates", "rows") and "row" in got:
            got["row"] = json.loads(got["row"])
        if name == "pushes":
            got = carriers.comparable_push(got)
        report.compare(language, name, vector["name"], wanted_answer, got)
