"""Copies of the project whose sources have changes that a number in the environment activates."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / ".build-mutants"
INSTRUMENTER = BUILD / "instrumenter"


def build_instrumenter():
    """Compiles the instrumenter with the compiler's own modules of swift-syntax."""
    sources = sorted((ROOT / "Tests/Mutants/Instrumenter").glob("*.swift"))
    BUILD.mkdir(exist_ok=True)
    if INSTRUMENTER.exists() and INSTRUMENTER.stat().st_mtime > max(file.stat().st_mtime for file in sources):
        return
    compiler = pathlib.Path(shutil.which("swiftc")).resolve()
    modules = str(compiler.parents[1] / "lib/swift/host")
    subprocess.run(
        ["swiftc", "-O", "-swift-version", "6", "-I", modules, "-L", modules, "-Xlinker", "-rpath", "-Xlinker", modules,
         "-lSwiftSyntax", "-lSwiftParser", "-lSwiftOperators", *sources, "-o", INSTRUMENTER], check=True)


def mutants(paths):
    """All mutants of files."""
    listing = subprocess.run([INSTRUMENTER, "list", *paths], cwd=ROOT, check=True, stdout=subprocess.PIPE)
    return json.loads(listing.stdout)


def apply(chosen, directory):
    """Adds mutants to the files of a directory."""
    subprocess.run([INSTRUMENTER, "apply"], cwd=directory, check=True, input=json.dumps(chosen).encode())


def switch():
    """The source that each module with changes gets."""
    return subprocess.run([INSTRUMENTER, "switch"], check=True, stdout=subprocess.PIPE).stdout


def tracked():
    """The project's files, with changes that aren't committed."""
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True,
        stdout=subprocess.PIPE)
    paths = [pathlib.PurePath(path) for path in listing.stdout.decode().split("\0") if path]
    return [path for path in paths if (ROOT / path).exists()]


class Copy:
    """A copy of the project, in a directory that keeps its build products."""

    def __init__(self, parent):
        self.directory = parent / "pushcrypt"
        self.fresh = parent / "fresh"
        self.binary = self.directory / ".build" / "debug" / "pushcryptPackageTests.xctest"

    def write(self, change):
        """Writes the project's files, changed by a function that gets their directory.

        Files that stay the same keep their dates, so that builds are short.
        """
        shutil.rmtree(self.fresh, ignore_errors=True)
        for path in tracked():
            (self.fresh / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / path, self.fresh / path, follow_symlinks=False)
        change(self.fresh)
        self.directory.mkdir(parents=True, exist_ok=True)
        self._synchronize()
        shutil.rmtree(self.fresh)
        # Tests that ask git for the project's files find these.
        if not (self.directory / ".git").exists():
            subprocess.run(["git", "init", "-q"], cwd=self.directory, check=True)

    def _synchronize(self):
        wanted = {
            path.relative_to(self.fresh) for path in self.fresh.rglob("*") if not path.is_dir() or path.is_symlink()}
        for path in list(self.directory.rglob("*")):
            relative = path.relative_to(self.directory)
            hidden = relative.parts[0] in (".build", ".git", "Package.resolved")
            if not hidden and (path.is_symlink() or path.is_file()) and relative not in wanted:
                path.unlink()
        for relative in wanted:
            (self.directory / relative).parent.mkdir(parents=True, exist_ok=True)
            copy_if_changed(self.fresh / relative, self.directory / relative)

    def build(self):
        """Builds the copy and its tests. Returns the locations of errors: paths and lines."""
        result = subprocess.run(
            ["swift", "build", "--build-tests"], cwd=self.directory, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, env={**os.environ, "PUSHCRYPT_WARNINGS_ARE_ERRORS": "0"})
        if result.returncode == 0:
            return []
        found = re.findall(r"^(/\S+?):(\d+):\d+: error:", result.stdout, re.MULTILINE)
        prefix = str(self.directory) + "/"
        locations = sorted({(path.removeprefix(prefix), int(line)) for path, line in found if path.startswith(prefix)})
        if not locations:
            sys.exit(f"{result.stdout[-4000:]}\nThe copy doesn't build. See above.")
        return locations


def copy_if_changed(source, target):
    if source.is_symlink() or not target.exists() or source.read_bytes() != target.read_bytes():
        target.unlink(missing_ok=True)
        shutil.copy2(source, target, follow_symlinks=False)
        if not target.is_symlink():
            target.touch()
