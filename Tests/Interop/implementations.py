"""The implementations: the programs that they need, their filters and their drivers."""

import json
import os
import pathlib
import shutil
import subprocess

from corpus import ROOT

LANGUAGES = ROOT / "Sources" / "Languages"
DRIVERS = pathlib.Path(__file__).resolve().parent / "drivers"
# PUSHCRYPT_LANGUAGES="go java" limits a run to these languages and Python, whose messages the others are compared with.
# Such a run leaves out the recipes, and the tool's own vectors.
ONLY = os.environ.get("PUSHCRYPT_LANGUAGES", "").split()
SEALERS = tuple(name for name in ("python", "node", "go", "java", "php", "ruby", "rust")
                if not ONLY or name in ("python", *ONLY))
OPENERS = tuple(name for name in ("python", "go", "java") if name in SEALERS)
# The others are sealers only, as a library: they have no program seal, no lists of keys, and no proofs of possession.
FILTERS = tuple(name for name in ("python", "node", "go", "java") if name in SEALERS)

# Everything comes from Debian, and nothing from PyPI or npm. A package is installed if its file is missing.
PACKAGES = {
    "libsodium23": "/usr/lib/*/libsodium.so.23", "faketime": "/usr/bin/faketime",
    "python3-nacl": "/usr/lib/python3/dist-packages/nacl", "nodejs": "/usr/bin/node",
    "node-tweetnacl": "/usr/share/nodejs/tweetnacl", "golang-go": "/usr/bin/go",
    "golang-golang-x-crypto-dev": "/usr/share/gocode/src/golang.org/x/crypto",
    "openjdk-17-jdk-headless": "/usr/bin/javac", "libbcprov-java": "/usr/share/java/bcprov.jar", "php-cli": "/usr/bin/php",
    "ruby": "/usr/bin/ruby", "ruby-rbnacl": "/usr/lib/ruby/vendor_ruby/rbnacl.rb", "rustc": "/usr/bin/rustc",
    "cargo": "/usr/bin/cargo", "libsodium-dev": "/usr/include/sodium.h",
}
# Debian's modules are for Debian's programs, which needn't be the first in PATH.
PYTHON = "/usr/bin/python3"
NODE = ["/usr/bin/node", "--v8-pool-size=0"]  # Worker threads can deadlock at the end (nodejs/node#54918).
TOOL = pathlib.Path(os.environ.get("PUSHCRYPT", ROOT / ".build" / "debug" / "pushcrypt"))
TIMEOUT = 900  # seconds of one command, also on a busy machine
CARGO = "/usr/bin/cargo"
BCPROV = "/usr/share/java/bcprov.jar"
GO_MODULES = "/usr/share/gocode/src/golang.org/x"
ENVIRONMENT = os.environ | {
    "PATH": "/usr/bin:" + os.environ.get("PATH", ""), "NODE_PATH": "/usr/share/nodejs", "LC_ALL": "C.UTF-8",
    "BCPROV": BCPROV, "PYTHONDONTWRITEBYTECODE": "1",
}


class Failure(Exception):
    pass


def install():
    missing = [name for name, path in PACKAGES.items() if not list(pathlib.Path("/").glob(path[1:]))]
    if missing:
        print("installing", *missing, flush=True)
        quiet = {"stdout": subprocess.DEVNULL, "env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"}}
        subprocess.run(["apt-get", "update"], check=True, **quiet)
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", *missing], check=True, **quiet)


def run(command, text=b"", statuses=(0,), directory=None, environment=None):
    """Returns the standard output of a command."""
    result = subprocess.run([str(part) for part in command], input=text, capture_output=True, cwd=directory,
                            env=ENVIRONMENT | (environment or {}), timeout=TIMEOUT)
    if result.returncode not in statuses:
        raise Failure(f"{' '.join(map(str, command))} ended with {result.returncode}:\n{result.stderr.decode()[-2000:]}")
    return result.stdout


def filtered(command, lines, statuses=(0,)):
    """Returns the output lines of a filter, one for each input line."""
    text = b"".join((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines)
    *answers, rest = run(command, text, statuses).split(b"\n")
    if len(answers) != len(lines) or rest:
        raise Failure(f"{command[0]} wrote {len(answers)} lines instead of {len(lines)}.")
    return answers


def command(language, name):
    """Returns the command of seal or open, which are filters of lines."""
    if language == "tool":
        return [TOOL, name, "--lines"]
    path = LANGUAGES / language / name
    return [PYTHON, path] if language == "python" else [path]


def go_module(work, name, program):
    """Writes a program that uses the library. Returns the directory, and a function that builds the program."""
    directory, library = work / name, LANGUAGES / "go"
    (directory / "program").mkdir(parents=True)
    for file in library.glob("*.go"):
        shutil.copy(file, directory)
    shutil.copy(library / "go.mod", directory)
    (directory / "program" / "main.go").write_text(program)
    replaced = [f"-replace=golang.org/x/{part}={GO_MODULES}/{part}" for part in ("crypto", "sys")]

    def build():
        run(["go", "mod", "edit", *replaced], directory=directory)
        run(["go", "build", "-mod=mod", "-o", "built", "./program"], directory=directory, environment={"GOPROXY": "off"})
        return directory / "built"

    return directory, build


def go_driver(work):
    directory, build = go_module(
        work, "go-driver", 'package main\n\nimport "example.com/pushcrypt"\n\nfunc main() { pushcrypt.Drive() }\n')
    shutil.copy(directory / "adapter_test.go", directory / "adapter.go")
    shutil.copy(DRIVERS / "driver.go", directory)
    return [build()]


def java_classes(work):
    """Compiles the library and the driver, and returns the class path."""
    directory = work / "java"
    sources = [*(LANGUAGES / "java" / "src" / "pushcrypt").glob("*.java"), DRIVERS / "Driver.java"]
    run(["/usr/bin/javac", "--release", "17", "-encoding", "UTF-8", "-cp", BCPROV, "-d", directory, *sources])
    return f"{directory}:{BCPROV}"


def rust_program(work, name, program, features=()):
    """Compiles a program that uses the crate with some of its features. Returns the program's path."""
    directory = work / name
    (directory / "src").mkdir(parents=True)
    (directory / "src" / "main.rs").write_text(program)
    dependency = f'{{ path = "{LANGUAGES / "rust"}", features = {json.dumps(features)} }}'
    (directory / "Cargo.toml").write_text(
        f'[package]\nname = "{name}"\nversion = "0.0.0"\nedition = "2021"\n\n[dependencies]\npushcrypt = {dependency}\n')
    run([CARGO, "build", "--quiet", "--offline"], directory=directory, environment={"CARGO_TARGET_DIR": str(directory / "target")})
    return directory / "target" / "debug" / name


def rust_driver(work):
    return [rust_program(work, "rust-driver", (DRIVERS / "driver.rs").read_text(), ["check"])]


def drivers(work):
    """Returns the command of each driver, which answers requests in lines."""
    commands = {
        "python": [PYTHON, DRIVERS / "python.py", LANGUAGES / "python"],
        "node": [*NODE, DRIVERS / "node.js", LANGUAGES / "node"],
        "go": go_driver(work) if "go" in SEALERS else [],
        "java": ["/usr/bin/java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp",
                 java_classes(work) if "java" in SEALERS else "", "pushcrypt.Driver"],
        "php": ["/usr/bin/php", DRIVERS / "php.php", LANGUAGES / "php"],
        "ruby": ["/usr/bin/ruby", DRIVERS / "ruby.rb", LANGUAGES / "ruby"],
        "rust": rust_driver(work) if "rust" in SEALERS else [],
    }
    return {name: commands[name] for name in SEALERS}


def libraries(commands):
    """Returns the command of the driver that seals messages, with the system's random values, of each language without seal."""
    sealers = {
        "php": ["/usr/bin/php", DRIVERS / "messages.php", LANGUAGES / "php"],
        "ruby": ["/usr/bin/ruby", DRIVERS / "messages.rb", LANGUAGES / "ruby"], "rust": commands.get("rust"),
    }
    return {name: sealers[name] for name in SEALERS if name not in FILTERS}
