"""Checks of the packages on the machine that has built them."""

import ctypes
import functools
import hashlib
import http.server
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

import root as roots
import statements
from root import Failure, expect

PROJECT = pathlib.Path(__file__).resolve().parents[2]
BUILD = PROJECT / ".ci/package/build"
PHOTO = b"\xff\xd8\xff\xe0" + bytes(range(256)) * 4000


class Packages:
    """The archive, the Debian package, and the statements about them, in a directory."""

    def __init__(self, directory):
        self.directory = directory
        [self.archive], [self.debian] = directory.glob("*.tar.gz"), directory.glob("*.deb")
        [self.bill], [self.provenance] = directory.glob("*.cdx.json"), directory.glob("*.provenance.json")

    def digests(self):
        lines = (self.directory / "SHA256SUMS").read_text().splitlines()
        return dict(reversed(line.split("  ")) for line in lines)


def digests_are_those_of_the_files(packages):
    files = [file for file in packages.directory.iterdir() if file.name != "SHA256SUMS"]
    expect(len(files) == 4, f"the directory has {files}")
    found = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
    expect(found == packages.digests(), f"SHA256SUMS has {packages.digests()}, and the files have {found}")


def binary(packages, directory):
    """The tool of the Debian package, in a directory."""
    path = directory / "pushcrypt"
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", packages.debian], stdout=subprocess.PIPE) as process:
        unpacked = subprocess.run(["tar", "-xO", "./usr/bin/pushcrypt"], stdin=process.stdout, capture_output=True, check=True)
        path.write_bytes(unpacked.stdout)
    path.chmod(0o755)
    return path


def with_binary(function):
    """A check that gets the tool of the Debian package, too."""
    def check(packages):
        with tempfile.TemporaryDirectory() as directory:
            function(packages, binary(packages, pathlib.Path(directory)))
    return check


def other_binaries_are_rejected(packages):
    """Only its own build knows what a binary contains."""
    with tempfile.TemporaryDirectory() as directory:
        tool = binary(packages, pathlib.Path(directory))
        tool.write_bytes(tool.read_bytes() + b"\0")
        process = subprocess.run([BUILD, "--binary", tool, "--output", f"{directory}/out"], capture_output=True,
                                 text=True)
        expect(process.returncode == 1 and "isn't the last binary" in process.stderr, f"{process}")


def packages_are_reproducible(packages):
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        subprocess.run([BUILD, "--binary", binary(packages, directory), "--output", directory / "out"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        again = Packages(directory / "out").digests()
        expect(again == packages.digests(), f"a second run has the digests {again}")


def lintian_has_no_objection(packages):
    roots.install({"lintian": "lintian"})
    result = subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0",
                             packages.debian], capture_output=True, text=True)
    expect(result.returncode == 0, result.stdout + result.stderr)


def libcurl_downloads(packages):
    """The stand-in for libcurl hands calls to the real one: a preview downloads a file, and notices a missing one."""
    try:
        ctypes.CDLL("libcurl.so.4")
    except OSError:
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", "libcurl4"], check=True,
                       stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as path:
        directory = pathlib.Path(path)
        tool, served = binary(packages, directory), directory / "served"
        served.mkdir()
        handler = functools.partial(QuietHandler, directory=served)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            (directory / "photo.jpg").write_bytes(PHOTO)
            preview(tool, directory, f"http://127.0.0.1:{server.server_port}/photo.sealed", served / "photo.sealed")
            photos = list((directory / "attachments").iterdir())
            expect([photo.read_bytes() for photo in photos] == [PHOTO], f"the attachments are {photos}")
            photos[0].unlink()
            (served / "photo.sealed").unlink()
            preview(tool, directory, f"http://127.0.0.1:{server.server_port}/photo.sealed", directory / "elsewhere")
            expect(not list((directory / "attachments").iterdir()), "an attachment is stored after an error")
            server.shutdown()


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def preview(tool, directory, url, sealed):
    """Seals a photo and a payload, and previews it."""
    script = """set -e
        rm -f *.jwks; mkdir -p attachments
        $TOOL keygen --keyring device.jwks > device.jwk
        $TOOL keygen --use sig --keyring server.jwks > server.jwk
        $TOOL attach photo.jpg --url $URL -o $SEALED > attachment.json
        /usr/bin/env python3 -c 'import json; print(json.dumps({
            "aps": {"alert": {"title": "Photo"}}, **json.load(open("attachment.json"))}))' > payload.json
        $TOOL seal --to device.jwk --sign-with server.jwks payload.json > sealed.json
        $TOOL preview --keyring device.jwks --signed-by server.jwk --attachments attachments --allow-http sealed.json"""
    variables = dict(os.environ, TOOL=str(tool), URL=url, SEALED=str(sealed), HOME=str(directory))
    result = subprocess.run(["bash", "-c", script], cwd=directory, env=variables, capture_output=True, text=True)
    if result.returncode != 0 or "Photo" not in result.stdout:
        raise Failure(f"the preview ends with {result.returncode}: {result.stdout}{result.stderr}")


CHECKS = {
    "SHA256SUMS has the digests of the files": digests_are_those_of_the_files,
    "a second run writes the same packages": packages_are_reproducible,
    "a binary of another build isn't packaged": other_binaries_are_rejected,
    "the bill of materials fits CycloneDX's schema, and changed ones don't": statements.bill_fits_the_schema,
    "the bill of materials names what is inside": with_binary(statements.bill_names_what_is_inside),
    "a linked file that the bill doesn't know ends the build": statements.unknown_files_are_noticed,
    "the provenance has the digests of the files, and the commit":
        with_binary(statements.provenance_is_the_one_of_the_files),
    "lintian has no objection": lintian_has_no_objection,
    "with libcurl, a preview downloads an attachment": libcurl_downloads,
}

if __name__ == "__main__":
    sys.exit("Run Tests/Packages/run.")
