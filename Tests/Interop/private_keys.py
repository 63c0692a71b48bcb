"""Private keys: printed objects have no secret, readers reject files that aren't private, commands reject wrong options."""

import base64
import json
import re
import subprocess

from implementations import ENVIRONMENT, FILTERS, OPENERS, SEALERS, TIMEOUT, command, filtered
from tool import TOOL, wire

# All 32 bytes are printable, so that raw bytes in a text are found.
SECRET = b"geheim-4711-geheim-4711-geheim-4"
START = SECRET[:6]
KEYS = {"signing": wire.Key.signer(SECRET), "recipient-private": wire.Key.recipient(SECRET)}
OPTIONS = {"--help": 0, "--frobnicate": 64}
INSECURE = {"fails": "insecure-file"}


def leaks(text):
    """Returns a Boolean value that indicates whether a text has the secret's beginning as bytes, base64, hex or integers."""
    hexadecimal = re.sub(r"0x|\\x|[\s,:]", "", text.lower())
    integers = " ".join(re.findall(r"\d+", text))
    return (START.decode() in text or base64.b64encode(START).decode() in text or START.hex() in hexadecimal
            or " ".join(map(str, START)) in integers)


def keyrings(tool):
    """Returns the path and the expected answer of each keyring file."""
    jwk = KEYS["signing"].private_jwk
    files = {name: tool.keyring([jwk]) for name in ("file", "link", "mode 0640", "mode 0604")}
    link = files["link"].with_suffix(".link")
    link.symlink_to(files["link"])
    files["mode 0640"].chmod(0o640)
    files["mode 0604"].chmod(0o604)
    return {name: (link if name == "link" else path, {"thumbprint": jwk["kid"]} if name == "file" else INSECURE)
            for name, path in files.items()}


def run_language(language, driver, files, report):
    kinds = [kind for kind in KEYS if kind == "signing" or language in (*OPENERS, "node")]
    requests = [{"do": "print", "kind": kind, "text": json.dumps(KEYS[kind].private_jwk)} for kind in kinds]
    requests += [{"do": "keyring", "text": str(path)} for path, _ in files.values()]
    answers = [json.loads(answer) for answer in filtered(driver, requests)]
    for kind, answer in zip(kinds, answers):
        found = {"printed": all(answer["texts"]), "leaks": [text for text in answer["texts"] if leaks(text)]}
        report.compare(language, "secrets", kind, {"printed": True, "leaks": []}, found)
    for (name, (_, wanted)), answer in zip(files.items(), answers[len(kinds):], strict=True):
        report.compare(language, "keyrings", name, wanted, answer)


def run_options(row, start, report):
    for option, status in OPTIONS.items():
        arguments = [str(part) for part in (*start, "--anonymous", option)]
        result = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, env=ENVIRONMENT, timeout=TIMEOUT)
        outputs = [status == 0, status != 0]
        report.compare(row, "options", option, {"status": status, "outputs": outputs},
                       {"status": result.returncode, "outputs": [bool(result.stdout), bool(result.stderr)]})


def run_all(tool, drivers, report):
    files = keyrings(tool)
    tool.map(lambda language: run_language(language, drivers[language], files, report), SEALERS)
    starts = {language: command(language, "seal") for language in FILTERS} | {"tool": [TOOL, "seal"]}
    tool.map(lambda row: run_options(row, starts[row], report), starts)
    for name, (path, wanted) in files.items():
        _, code = tool.run("seal", "--sign-with", path, "--to", KEYS["recipient-private"].public_jwk["x"],
                           text=b'{"aps":{"alert":"Hello"}}')
        report.compare("tool", "keyrings", name, wanted.get("fails"), code)
    for row in (*SEALERS, "tool"):
        report.expect_count(row, "options", len(OPTIONS) if row in starts else 0)
        report.expect_count(row, "keyrings", len(files))
        if row in SEALERS:
            report.expect_count(row, "secrets", 2 if row in (*OPENERS, "node") else 1)
