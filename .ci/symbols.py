"""Symbol graphs of the package's libraries, for the scripts beside this file.

Run `swift build --build-tests --traits APNs,FastX25519 --scratch-path .build-traits` first: a module of a trait is empty
without it.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULES = ROOT / ".build-traits/debug/Modules"


def run(*command):
    """The output of a command. Ends the script with the command's message if it fails."""
    result = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{(result.stdout + result.stderr)[-4000:]}")
    return result.stdout


def toolchain():
    """The compiler's description of its target and its directories."""
    return json.loads(run("swiftc", "-print-target-info"))


def libraries():
    """The names of the library targets in Sources: all but the tool."""
    found = sorted({path.parts[-2] for path in ROOT.glob("Sources/PushCrypt*/*.swift")} - {"PushCryptCLI"})
    missing = [name for name in found if not (MODULES / f"{name}.swiftmodule").exists()]
    if missing or len(found) < 10:
        sys.exit(f"Not built: {', '.join(missing) or 'the libraries of Sources'}. Build with all traits first.")
    return found


def c_module_maps():
    """Options that let the compiler find the C modules of Sources and of packages, which a Swift module may refer to."""
    build = MODULES.parent.parent
    maps = [*ROOT.glob("Sources/**/module.modulemap"), *build.glob("checkouts/*/Sources/*/include/module.modulemap"),
            *build.glob("debug/*.build/module.modulemap")]
    return [word for path in sorted(maps) for word in ("-Xcc", f"-fmodule-map-file={path}")]


def extract(module, directory, reexported=()):
    """Writes the symbol graph of a module to a directory and returns it.

    It has the symbols of the modules that the module re-exports, if they are listed.
    """
    directory.mkdir(parents=True, exist_ok=True)
    run("swift", "symbolgraph-extract", "-module-name", module, "-target", toolchain()["target"]["triple"],
        "-I", MODULES, *c_module_maps(), f"-experimental-allowed-reexported-modules={','.join(reexported)}",
        "-minimum-access-level", "public", "-output-dir", directory)
    return [json.loads(path.read_text()) for path in sorted(directory.glob("*.symbols.json"))]
