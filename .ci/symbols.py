"""Symbol graphs of the package's libraries, for api.py and docs.py.

Run `swift build --traits APNs,FastX25519 --scratch-path .build-traits` first: a module of a trait is empty without it.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULES = ROOT / ".build-traits/debug/Modules"


def run(*command, directory=ROOT):
    """The output of a command. Ends the script with the command's message if it fails."""
    result = subprocess.run([str(word) for word in command], cwd=directory, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{(result.stdout + result.stderr)[-4000:]}")
    return result.stdout


def toolchain():
    """The compiler's description of its target and its directories."""
    return json.loads(run("swiftc", "-print-target-info"))


def libraries():
    """The names of the library targets in Sources."""
    targets = json.loads(run("swift", "package", "describe", "--type", "json"))["targets"]
    found = sorted(t["name"] for t in targets if t["type"] == "library" and t["path"].startswith("Sources/")
                   # Files for apps, which the tool writes.
                   and t["name"] != "FrameworkTemplates")
    missing = [name for name in found if not (MODULES / f"{name}.swiftmodule").exists()]
    if missing or not found:
        sys.exit(f"Not built: {', '.join(missing) or 'no library in Sources'}. Build with all traits first.")
    return found


def c_module_maps():
    """Options that let the compiler find the C modules of Sources and of packages, which a Swift module may refer to."""
    build = MODULES.parent.parent
    maps = [*ROOT.glob("Sources/**/module.modulemap"), *build.glob("checkouts/*/Sources/*/include/module.modulemap"),
            *build.glob("debug/*.build/module.modulemap")]
    return [word for path in sorted(maps) for word in ("-Xcc", f"-fmodule-map-file={path}")]


def extract(module, directory):
    """Writes the symbol graph of a module to a directory and returns it."""
    target = toolchain()["target"]["triple"]
    directory.mkdir(parents=True, exist_ok=True)
    run("swift", "symbolgraph-extract", "-module-name", module, "-target", target, "-I", MODULES, *c_module_maps(),
        "-minimum-access-level", "public", "-output-dir", directory)
    return [json.loads(path.read_text()) for path in sorted(directory.glob("*.symbols.json"))]


def emit(module, directory):
    """Compiles a module as Xcode does for its documentation, and writes its symbol graph to a directory.

    A graph that the compiler emits has the symbols of the modules that the module re-exports.
    """
    directory.mkdir(parents=True, exist_ok=True)
    options = iter(compiler_arguments(module))
    command = []
    for option in options:
        if option in ("-emit-module-path", "-output-file-map", "-j", "-emit-objc-header-path"):
            next(options)
        elif option not in ("-c", "-incremental", "-emit-dependencies") and not option.startswith("-j"):
            command.append(option)
    # The compiler leaves files of its own in the current directory.
    run(*command, "-emit-module-path", directory.parent / f"{module}.swiftmodule", "-emit-symbol-graph",
        "-emit-symbol-graph-dir", directory, "-symbol-graph-minimum-access-level", "public",
        directory=directory.parent)


def compiler_arguments(module):
    """The compiler's command for a module, from the description of the build."""
    for line in (MODULES.parent.parent / "debug.yaml").read_text().splitlines():
        if f'"-module-name","{module}",' in line and line.strip().startswith("args: ["):
            return json.loads(line.strip().removeprefix("args: "))
    sys.exit(f"{module} isn't in the description of the build. Build with all traits first.")
