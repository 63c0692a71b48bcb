"""Checks a kit where it is unpacked: its bytes, its links, and that its runner notices each damage."""

import hashlib
import json
import re
import subprocess
import sys
import tarfile

from . import kit


def run(directory):
    """Returns the exit status of the kit's runner, and its output, without the repository's modules."""
    result = subprocess.run([sys.executable, "-I", directory / "runner.py"], cwd=directory, capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def anchors(text):
    """Returns the anchors of a page's headings."""
    titles = re.findall(r"^#+ (.*)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def link_problems(directory):
    """Returns the links that lead out of the kit or to nothing."""
    for page in sorted(directory.glob("*.md")):
        for _, target in kit.LINK.findall(page.read_text()):
            if "://" in target:
                continue
            name, _, anchor = target.partition("#")
            other = directory / (name or page.name)
            if "/" in name or not other.is_file():
                yield f"{page.name} links to {target}, which the kit doesn't have."
            elif anchor and anchor not in anchors(other.read_text()):
                yield f"{page.name} links to {target}, but {other.name} has no such heading."


def summed(directory):
    """Writes SHA256SUMS again, so that the other checks of the runner are alone."""
    path = directory / "SHA256SUMS"
    names = [line.split("  ")[1] for line in path.read_text().splitlines()]
    path.write_text("".join(f"{hashlib.sha256((directory / name).read_bytes()).hexdigest()}  {name}\n" for name in names))


def changed(directory, name, change):
    """Changes the value of a file, with a right sum."""
    path = directory / f"{name}.json"
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value, indent=2) + "\n")
    summed(directory)


def shortened(count):
    def change(value):
        value["vectors"] = value["vectors"][:count]
        value["counts"]["vectors"] = len(value["vectors"])
    return change


def accepting(value):
    """Makes a vector that fails one that doesn't."""
    vector = next(vector for vector in value["vectors"] if "fails" in vector)
    del vector["fails"], vector["rule"]
    vector["padded"] = [2955]


# Each damage, with a word of the runner's answer.
DAMAGES = {
    "a file that is missing": ("can't be used", lambda kit: (kit / "padding.json").unlink()),
    "a file that is empty": ("differs from", lambda kit: (kit / "keys.json").write_text("")),
    "one byte of another file": ("differs from", lambda kit: (kit / "opening.json").write_text(
        (kit / "opening.json").read_text().replace("malformed-base64", "malformed-base65", 1))),
    "no vectors": ("0 vectors, not 0", lambda kit: changed(kit, "padding", shortened(0))),
    "one vector less": ("671 vectors", lambda kit: changed(kit, "padding", shortened(-1))),
    "one vector less than counts": ("not 16", lambda kit: changed(kit, "apns-ids", lambda value: value["vectors"].pop())),
    "one vector twice": ("one name", lambda kit: changed(
        kit, "apns-ids", lambda value: value["vectors"].__setitem__(0, value["vectors"][1]))),
    "another format": ("version 2", lambda kit: changed(kit, "padding", lambda value: value.__setitem__("version", 2))),
    "another result": ("1 vectors failed", lambda kit: changed(
        kit, "apns-ids", lambda value: value["vectors"][3].__setitem__("apns_id", value["vectors"][2]["apns_id"]))),
    "a vector that doesn't fail any more": ("fewer than 156", lambda kit: changed(kit, "padding", accepting)),
}


def damage_problems(archive, work):
    """Returns the damages that the runner doesn't notice."""
    for number, (name, (answer, damage)) in enumerate(DAMAGES.items()):
        directory = unpacked(archive, work / f"damage-{number}")
        damage(directory)
        status, output = run(directory)
        if status != 1 or answer not in output:
            yield f"The runner answers {name} with {status}: {output.strip()[-300:]}"


def unpacked(archive, target):
    target.mkdir()
    with tarfile.open(archive) as tar:
        tar.extractall(target, filter="data") if hasattr(tarfile, "data_filter") else tar.extractall(target)
    return target / kit.NAME


def problems(source, work):
    """Returns all that is wrong with the kit of a directory of vectors."""
    paths = [kit.write(source, work / name) for name in ("first", "second")]
    archives = [path.with_name(f"{kit.NAME}.tar.gz") for path in paths]
    found = []
    if archives[0].read_bytes() != archives[1].read_bytes():
        found.append("Two archives differ.")
    directory = unpacked(archives[0], work / "empty")
    names = {path.relative_to(directory).as_posix() for path in directory.rglob("*") if path.is_file()}
    if {name: (directory / name).read_bytes() for name in names} != kit.files(source):
        found.append("The archive and the directory differ.")
    status, output = run(directory)
    if status != 0 or "0 vectors failed, 0 were skipped" not in output:
        found.append(f"The runner ends with {status} on the kit: {output.strip()[-300:]}")
    return [*found, *link_problems(directory), *damage_problems(archives[0], work)]
