"""Writes the kit: the vectors with all that another implementation needs, the same bytes every time."""

import gzip
import hashlib
import io
import json
import pathlib
import re
import tarfile

from . import coverage
from .corpus import KIT, VERSION

NAME = f"pushcrypt-vectors-{KIT}"
UNRELEASED = "not released yet"
# The pages of the project that are in the kit, by their names on Format.md and README.md.
PAGES = {"../Tests/Vectors/README.md": "README.md", "../../Docs/Format.md": "Format.md",
         "OtherLanguages.md#apns-headers": "Headers.md"}
LINK = re.compile(r"\[([^]]*)\]\(([^)\s]*)\)")


def digest(files):
    """Returns the digest of the files that a release fixes: the vectors and their schemas."""
    fixed = sorted(name for name in files if name.endswith(".json"))
    return hashlib.sha256(b"".join(hashlib.sha256(files[name]).digest() + name.encode() for name in fixed)).hexdigest()


def json_files(directory):
    """Returns the vectors and their schemas by their names in the kit."""
    paths = [*directory.glob("*.json"), *directory.glob("schema/*.json")]
    return {path.relative_to(directory).as_posix(): path.read_bytes() for path in sorted(paths)}


def version_problems(directory):
    """Returns what is wrong with the version: a release whose files have changed needs the next number."""
    heading = re.search(r"^## (\S+), (.*)$", (directory / "CHANGES.md").read_text(), flags=re.MULTILINE)
    if not heading or heading[1] != KIT:
        return [f"The newest version of CHANGES.md isn't {KIT}, the one of generator/corpus.py."]
    if not KIT.startswith(f"{VERSION}."):
        return [f"The kit {KIT} isn't one of format {VERSION}."]
    if f"format {VERSION}, kit {KIT}." not in (directory / "README.md").read_text():
        return [f"README.md doesn't say: format {VERSION}, kit {KIT}."]
    found = digest(json_files(directory))
    if heading[2] != UNRELEASED and found not in heading[2]:
        return [f"The kit {KIT} is released with other files. Raise KIT in generator/corpus.py, and add it to CHANGES.md."]
    return []


def linked(text):
    """Returns a page whose links lead to the kit's own files. Others become text."""
    def replaced(match):
        label, target = match.groups()
        page, _, anchor = target.partition("#")
        if not page or "://" in target:
            return match[0]
        if target in PAGES or page in PAGES:
            return f"[{label}]({PAGES.get(target) or PAGES[page] + ('#' + anchor if anchor else '')})"
        if page in ("Format.md", "README.md", "CHANGES.md"):
            return match[0]
        return label if label == page else f"{label} ({page})"
    return LINK.sub(replaced, text)


def section(text, title):
    """Returns a section of a page as a page of its own."""
    body = re.search(rf"^## {title}\n(.*?)(?=^## )", text, flags=re.MULTILINE | re.DOTALL)
    return f"# {title}\n{body[1].rstrip()}\n"


def readme(text):
    """Returns README.md as the kit has it: with the kit's own commands, and without those of the project."""
    commands = "```sh\nsha256sum -c SHA256SUMS\n./runner.py\n```"
    text = re.sub(r"```sh\n.*?```", commands, text, count=1, flags=re.DOTALL)
    return linked(text[: text.index("## Changing them")].rstrip() + "\n")


def files(directory):
    """Returns the contents of the kit's files by their names."""
    pages = directory.parents[1] / "Docs"
    texts = {
        "README.md": readme((directory / "README.md").read_text()),
        "Format.md": linked((pages / "Format.md").read_text()),
        "Headers.md": linked(section((pages / "OtherLanguages.md").read_text(), "APNs headers")),
        "RULES.md": coverage.table({path.stem: json.loads(path.read_bytes()) for path in sorted(directory.glob("*.json"))}),
        "CHANGES.md": (directory / "CHANGES.md").read_text(),
        "VERSION": f"{KIT}\n",
    }
    result = {name: text.encode() for name, text in texts.items()} | json_files(directory)
    result["runner.py"] = (directory / "runner.py").read_bytes()
    sums = "".join(f"{hashlib.sha256(result[name]).hexdigest()}  {name}\n" for name in sorted(result))
    return dict(sorted(result.items())) | {"SHA256SUMS": sums.encode()}


def archive(contents):
    """Returns the kit as a .tar.gz, without a time or an owner."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in contents.items():
            member = tarfile.TarInfo(f"{NAME}/{name}")
            member.size, member.mode = len(data), 0o755 if name == "runner.py" else 0o644
            tar.addfile(member, io.BytesIO(data))
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", fileobj=packed, mode="wb", mtime=0) as stream:
        stream.write(plain.getvalue())
    return packed.getvalue()


def write(directory, target):
    """Writes the kit as a directory and as an archive, and returns the path of the directory."""
    contents = files(directory)
    path = pathlib.Path(target) / NAME
    path.mkdir(parents=True)
    for name, data in contents.items():
        (path / name).parent.mkdir(exist_ok=True)
        (path / name).write_bytes(data)
    (path / "runner.py").chmod(0o755)
    path.with_name(f"{NAME}.tar.gz").write_bytes(archive(contents))
    return path
