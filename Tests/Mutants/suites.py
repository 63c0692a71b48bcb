"""The suites of tests, the mutants whose code each one runs, and runs with an active mutant."""

import collections
import concurrent.futures
import json
import os
import re
import subprocess
import tempfile
import time

# Sizes of simulations, each a quarter or a fifth of the one in .ci/run.
SIZES = {
    "PUSHCRYPT_THOROUGH": "1", "PUSHCRYPT_SCHEDULES": "50", "PUSHCRYPT_REGISTRAR_SCHEDULES": "100",
    "PUSHCRYPT_PROOF_SCHEDULES": "50", "PUSHCRYPT_PLACES": "2000", "SWIFT_BACKTRACE": "enable=no",
}
# Checks of pages and sources, which don't run the code.
LEFT_OUT = ("DocsTests.",)

Suite = collections.namedtuple("Suite", "name seconds mutants")


def run(copy, pattern, timeout, **variables):
    """Runs the tests that match. Returns the status, or None after the time limit, and the output."""
    command = [copy.binary, "--testing-library", "swift-testing", "--filter", pattern]
    environment = dict(os.environ, **SIZES, **variables)
    try:
        # Each run has a home of its own, because a mutant can write anything into it.
        with tempfile.TemporaryDirectory() as home:
            environment |= {"HOME": home, "XDG_DATA_HOME": home}
            result = subprocess.run(
                command, cwd=copy.directory, env=environment, timeout=timeout, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        return result.returncode, result.stdout
    except subprocess.TimeoutExpired as error:
        return None, (error.stdout or b"").decode(errors="replace")


def names(copy):
    """The names of all suites with their modules."""
    command = [copy.binary, "--testing-library", "swift-testing", "--list-tests"]
    listing = subprocess.run(command, cwd=copy.directory, check=True, stdout=subprocess.PIPE, text=True).stdout
    found = {line.split("/")[0] for line in listing.splitlines() if re.fullmatch(r"\w+\.\w+/.*", line)}
    return sorted(name for name in found if not name.startswith(LEFT_OUT))


def pattern(suites):
    return "|".join("^" + re.escape(suite.name) + "/" for suite in suites)


def traced(copy, name):
    """Runs a suite without a mutant. Returns its time and the mutants whose code it ran.

    Returns None if it passes only without the trace, because it compares the system calls of processes.
    """
    pattern = "^" + re.escape(name) + "/"
    with tempfile.NamedTemporaryFile() as trace:
        begin = time.monotonic()
        status, output = run(copy, pattern, 900, PUSHCRYPT_MUTANT_TRACE=trace.name)
        seconds = time.monotonic() - begin
        if status == 0:
            return Suite(name, seconds, frozenset(int(line) for line in trace.read().split()))
    status, output = run(copy, pattern, 900)
    if status != 0:
        raise SystemExit(f"{output[-3000:]}\n{name} fails without a mutant. See above.")
    print(f"{name} isn't used, because it passes only without the trace", flush=True)
    return None


def all_traced(copy, jobs, cache):
    """The suites that pass without a mutant, from a file of the same build if there is one."""
    build = copy.binary.stat().st_mtime
    if cache.exists():
        stored = json.loads(cache.read_text())
        if stored["build"] == build:
            return [Suite(name, seconds, frozenset(mutants)) for name, seconds, mutants in stored["suites"]]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        found = [suite for suite in pool.map(lambda name: traced(copy, name), names(copy)) if suite]
    rows = [[suite.name, suite.seconds, sorted(suite.mutants)] for suite in found]
    cache.write_text(json.dumps({"build": build, "suites": rows}))
    return found


def groups(suites):
    """The suites in groups for one process each: quick ones about the mutant's subject first, so that most runs end soon."""
    group, seconds, limit = [], 0, 1
    for suite in sorted(suites, key=lambda suite: suite.seconds * len(suite.mutants)):
        if group and seconds + suite.seconds > limit:
            yield group
            group, seconds, limit = [], 0, limit * 2
        group.append(suite)
        seconds += suite.seconds
    if group:
        yield group


def killer(copy, mutant, suites):
    """The first suite that fails with a mutant: its name, or None if all pass."""
    for group in groups([suite for suite in suites if mutant["number"] in suite.mutants]):
        limit = 60 + 10 * sum(suite.seconds for suite in group)
        status, output = run(copy, pattern(group), limit, PUSHCRYPT_MUTANT=str(mutant["number"]))
        if status is None:
            return "a time limit"
        if status < 0:
            return "a crash"
        if status != 0:
            failed = re.search(r"Suite (\w+) failed", output)
            return failed.group(1) if failed else group[0].name
    return None
