"""The languages' own tools, which install a package into an empty project."""

from implementations import PYTHON, Failure
from project import expect, version
from recipes import PAYLOAD

# What the tools need, besides the packages of Tests/Interop. A package is installed if its file is missing.
PACKAGES = {
    "python": {
        "python3-pip": "/usr/bin/pip3", "python3-venv": "/usr/share/doc/python3-venv",
        # pip looks for the package that Debian's python3-nacl needs at build time only.
        "python3-cffi": "/usr/lib/python3/dist-packages/cffi",
        "python3-setuptools": "/usr/lib/python3/dist-packages/setuptools",
        "python3-wheel": "/usr/lib/python3/dist-packages/wheel", "mypy": "/usr/bin/mypy",
    },
}
TYPED_PYTHON = """\
import pushcrypt

def seal(text: bytes) -> bytes:
    row: pushcrypt.Row = pushcrypt.accepted_row(text, "0a" * 32, "anna")
    push = pushcrypt.Sealer.anonymous().seal({"aps": {"alert": "Hello"}}, row)
    names: dict[str, str] = push.headers
    return push.payload + names["apns-id"].encode()
"""
UNTYPED_PYTHON = "import pushcrypt\n\nprint(pushcrypt.Sealer.anonymous().seal(1).payload)\n"
DOCUMENTED_PYTHON = """\
import inspect, pushcrypt
for name in pushcrypt.__all__:
    value = getattr(pushcrypt, name)
    members = vars(value).items() if inspect.isclass(value) else ()
    for part, member in [(name, value), *((f"{name}.{each}", member) for each, member in members if each[0] != "_")]:
        function = getattr(member, "__func__", member)
        if (inspect.isfunction(function) or inspect.isclass(function)) and not inspect.getdoc(function):
            print(part)
"""


def python(project):
    project.run(PYTHON, "-m", "venv", "--system-site-packages", "venv")
    program = project.directory / "venv" / "bin" / "python"
    project.run(program, "-m", "pip", "install", "--no-index", "--no-build-isolation", project.package)
    project.expect_check(project.run(program, "-m", "pushcrypt.check"))
    expect("the printed version", version(), project.run(program, "-m", "pushcrypt.check", "--version").decode().strip())
    shown = project.run(program, "-m", "pip", "show", "pushcrypt").decode().splitlines()
    expect("pip's version", f"Version: {version()}", shown[1])
    project.expect_sealed(project.run(program, project.recipe("recipe.py")))
    expect("functions without a comment", b"", project.run(program, "-c", DOCUMENTED_PYTHON))
    mypy = ("/usr/bin/mypy", "--strict", "--python-executable", program)
    project.run(*mypy, "-p", "pushcrypt")
    project.run(*mypy, project.write("typed.py", TYPED_PYTHON))
    found = project.run(*mypy, project.write("untyped.py", UNTYPED_PYTHON), statuses=(1,))
    if b'Missing positional argument "to"' not in found:
        raise Failure(f"mypy doesn't know the types: {found.decode()}")


INSTALLS = {"python": python}
