"""Links the driver with the modules of a debug build, and runs it under valgrind."""

import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DRIVER = pathlib.Path(__file__).resolve().parent / "Main.swift"
# The modules of Sources that no app links.
OTHERS = {"PushCryptCLI", "PushCryptAPNs", "PushCryptAPNsTesting"}
STAND_INS = ("UIKit", "UserNotifications", "UserNotificationsUI", "PushKit", "CallKit")


def run(*command, **options):
    """Returns the output of a command, or ends the script with its error."""
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command[:3]))} … failed:\n{result.stdout[-2000:]}{result.stderr[-4000:]}")
    return result.stdout


def directories():
    """Yields each module that the driver links, with the directory of its sources."""
    for path in sorted((ROOT / "Sources").glob("PushCrypt*")):
        if path.name not in OTHERS:
            yield path.name, path
    for name in STAND_INS:
        yield name, ROOT / "Tests/Shims" / name


def objects(build):
    """Returns the object files of a debug build. A build may still have those of files that are gone."""
    found = []
    for module, directory in directories():
        sources = {path.name: path for path in directory.rglob("*.swift") if "Templates" not in path.parts}
        own = [path for name in sorted(sources) if (path := build / f"{module}.build/{name}.o").exists()]
        if len(own) != len(sources):
            sys.exit(f"{build} doesn't have all files of {module}. Run: swift build --build-tests")
        if max(path.stat().st_mtime for path in sources.values()) > max(path.stat().st_mtime for path in own):
            sys.exit(f"The sources of {module} are newer than {build}. Run: swift build --build-tests")
        found += own
    return found


def driver(build, directory):
    """Builds the driver, and returns its path."""
    program = directory / "driver"
    run("swiftc", "-Onone", "-g", "-swift-version", "6", "-parse-as-library", "-module-name", "Trace",
        "-I", build / "Modules", "-Xcc", f"-fmodule-map-file={ROOT}/Sources/Clibsodium/module.modulemap",
        "-o", program, DRIVER, *objects(build), "-lsodium")
    return program


def traces(build, works):
    """Yields callgrind's texts for none of each work, and for one."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        program = driver(build, directory)
        for work in works:
            yield [trace(program, directory, work, count) for count in (0, 1)]


def keygen(build):
    """Returns callgrind's text for a rotation by the tool."""
    with tempfile.TemporaryDirectory() as name:
        directory, tool = pathlib.Path(name), build / "pushcrypt"
        run(tool, "keygen", "--keyring", directory / "keys")
        run("valgrind", "--tool=callgrind", "-q", f"--callgrind-out-file={directory / 'out'}",
            tool, "keygen", "--keyring", directory / "keys")
        return (directory / "out").read_text()


def trace(program, directory, work, count):
    """Runs the driver with a number of notifications or registrations, and returns callgrind's text."""
    group, target = directory / f"{work}{count}", directory / f"{work}{count}.out"
    group.mkdir()
    # The order of Swift's dictionaries is random otherwise.
    output = run("valgrind", "--tool=callgrind", "-q", f"--callgrind-out-file={target}", program, group, work, count,
                 env=os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"})
    expected = "".join(f"{work} {number}\n" for number in range(1, count + 1))
    if output != expected:
        sys.exit(f"The driver printed {output!r} instead of {expected!r}: its setup doesn't fit the sources.")
    return target.read_text()
