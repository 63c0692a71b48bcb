"""A bare root file system, as a new minimal Debian has it, in which commands run without a network."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# In a mount namespace of its own, so that nothing stays mounted, and in a network namespace without an interface.
ENTER = ["unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "sh", "-c",
         'root=$1 && shift && mount -t proc proc "$root/proc" && exec chroot "$root" "$@"', "sh"]
# What dpkg and the C library remember of a package that was removed.
REMEMBERED = ("/var/lib/dpkg/", "/var/log/", "/var/cache/", "/etc/ld.so.cache", "/proc/", "/tmp/", "/var/lib/apt/")


class Failure(Exception):
    pass


def install(packages):
    """Installs packages of the host whose commands are missing."""
    missing = [name for command, name in packages.items() if not shutil.which(command)]
    if missing:
        subprocess.run(["apt-get", "update"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", *missing], check=True,
                       stdout=subprocess.DEVNULL)


def base(directory):
    """An archive of a minimal system of the host's release. It is kept in a directory."""
    release = re.search(r"^VERSION_CODENAME=(\w+)", pathlib.Path("/etc/os-release").read_text(), re.M)[1]
    archive = directory / f"root-{release}.tar"
    if not archive.exists():
        install({"debootstrap": "debootstrap"})
        with tempfile.TemporaryDirectory() as path:
            print(f"   create a minimal {release}", flush=True)
            subprocess.run(["debootstrap", "--variant=minbase", release, f"{path}/root"], check=True,
                           stdout=subprocess.DEVNULL)
            directory.mkdir(parents=True, exist_ok=True)
            unfinished = archive.with_suffix(".part")
            subprocess.run(["tar", "-C", f"{path}/root", "--one-file-system", "-cf", unfinished, "."], check=True)
            unfinished.rename(archive)
    return archive


class Root:
    """A copy of the minimal system, for as long as a with statement lasts."""

    def __init__(self, archive):
        self.archive = archive

    def __enter__(self):
        self.temporary = tempfile.TemporaryDirectory(prefix="pushcrypt-root-")
        self.path = pathlib.Path(self.temporary.name) / "root"
        self.path.mkdir()
        # Others pass through the directory, as through / of a machine.
        self.path.parent.chmod(0o755)
        subprocess.run(["tar", "-C", self.path, "-xpf", self.archive], check=True)
        return self

    def __exit__(self, *_):
        self.temporary.cleanup()

    def file(self, path):
        return self.path / path.lstrip("/")

    def start(self, command, text="", user=None, directory="/root", variables=()):
        """Runs a command of the shell, and returns the process with its output."""
        settings = ["env", "-i", f"PATH={PATH}", "HOME=/root", "LANG=C.UTF-8", *variables]
        switch = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs"] if user else []
        script = f"cd {directory} && {command}"
        return subprocess.run([*ENTER, str(self.path), *settings, *switch, "bash", "-c", script], input=text, text=True,
                              capture_output=True)

    def run(self, command, status=0, **options):
        """Runs a command that must end with a status, and returns its standard output."""
        process = self.start(command, **options)
        if process.returncode != status:
            raise Failure(f"{command}\nends with {process.returncode} instead of {status}:\n"
                          f"{process.stdout}{process.stderr}")
        return process.stdout

    def files(self):
        """The paths of all files and directories, without what a package manager remembers."""
        paths = (f"/{path.relative_to(self.path)}" for path in self.path.rglob("*"))
        return {path for path in paths if not f"{path}/".startswith(REMEMBERED)}


def expect(condition, message):
    if not condition:
        raise Failure(message)


def check(name, function, *arguments):
    """Runs a check, and returns the number of failures."""
    try:
        function(*arguments)
    except (Failure, subprocess.CalledProcessError, OSError) as failure:
        print(f"   FAILED: {name}: {failure}", flush=True)
        return 1
    print(f"   {name}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit("Run Tests/Packages/run.")
