"""The recipe of each README, as a user would run it: the tool opens its output, and rejects it after one flipped bit."""

import json
import random
import re
import shutil

import corpus
from implementations import BCPROV, LANGUAGES, NODE, PYTHON, SEALERS, Failure, go_module, run, rust_program
from tool import data_of
from vectors import public

PAYLOAD = b'{"aps":{"alert":{"title":"Card payment","body":"You paid 12.50 \xe2\x82\xac."},"sound":"default"}}'
MAXIMUM_LINES = 40


def recipe(language):
    """Returns the first block of code of a README."""
    text = (LANGUAGES / language / "README.md").read_text()
    if len(text.splitlines()) > MAXIMUM_LINES:
        raise Failure(f"README.md of {language} has more than {MAXIMUM_LINES} lines.")
    return re.search(r"```\w+\n(.*?)```", text, re.S)[1]


def commands(work):
    """Returns the command of each recipe, after writing its files into the directory."""
    files = [work / "server.jwks", work / "registration.json"]
    python, ruby, php, node, java = (work / f"recipe.{suffix}" for suffix in ("py", "rb", "php", "js", "java"))
    for file, language in ((python, "python"), (ruby, "ruby"), (php, "php"), (java, "java")):
        file.write_text(recipe(language))
    (work / "vendor").mkdir()
    sources = sorted((LANGUAGES / "php" / "src").glob("*.php"))
    (work / "vendor" / "autoload.php").write_text("<?php\n" + "".join(f"require '{file}';\n" for file in sources))
    shutil.copytree(LANGUAGES / "node", work / "node" / "node_modules" / "pushcrypt")
    node = work / "node" / "recipe.js"
    node.write_text(recipe("node"))
    _, build = go_module(work, "go-recipe", recipe("go"))
    (work / "Recipe.java").write_text(recipe("java"))
    return {
        "python": ([PYTHON, python], {"PYTHONPATH": str(LANGUAGES / "python")}),
        "ruby": (["/usr/bin/ruby", "-I", LANGUAGES / "ruby" / "lib", ruby], {}),
        "php": (["/usr/bin/php", php], {}),
        "node": ([*NODE, node, *files], {}),
        "go": ([build(), *files], {}),
        "rust": ([rust_program(work, "rust-recipe", recipe("rust")), *files], {}),
        "java": (["/usr/bin/java", "-cp", f"{work / 'java'}:{BCPROV}", work / "Recipe.java", *files], {}),
    }


def flipped(payload):
    """Returns the payload with one other bit in the envelope."""
    from generator import wire
    data = bytearray(data_of(payload))
    data[random.randrange(len(data))] ^= 1 << random.randrange(8)
    return re.sub(rb'("ENCRYPTED_DATA":")[^"]*', lambda match: match[1] + wire.base64url(data).encode(), payload)


def run_all(tool, work, report):
    keys = corpus.load("opening")["keys"]
    directory = work / "recipes"
    directory.mkdir()
    registration = {"created": 1_767_225_600, "generation": 3, "key": public(keys["alice"]), "lifetime": 604_800}
    (directory / "registration.json").write_text(json.dumps(registration))
    shutil.copy(tool.keyring([keys["acme"]]), directory / "server.jwks")
    (directory / "java").symlink_to(work / "java")
    alice, acme = tool.keyring([keys["alice"]]), tool.file(json.dumps(public(keys["acme"])))

    def test(item):
        language, (command, environment) = item
        sealed = run(command, PAYLOAD, directory=directory, environment=environment)
        text, code = tool.open(sealed, alice, [acme])
        report.compare(language, "recipe", "output", {"opens": PAYLOAD}, {"opens": code or text})
        for _ in range(8):
            text, code = tool.open(flipped(sealed), alice, [acme])
            found = {"text": text, "fails": bool(code)}
            report.compare(language, "flipped bits", "output", {"text": b"", "fails": True}, found)

    tool.map(test, commands(directory).items())
    if {language for language, _ in report.passed} < set(SEALERS):
        raise Failure("A language has no recipe.")
