"""The examples: a server of the language's usual framework, which registers a device, and a job that seals for it."""

import contextlib
import http.client
import json
import socket
import subprocess
import time

from implementations import BCPROV, CARGO, ENVIRONMENT, NODE, Failure
from installs import COMPOSER, GO, go_replacements
from project import TIMEOUT, TOKEN, expect, keys, original, registration, version
from recipes import PAYLOAD
from vectors import public

JARS = "/usr/share/java"
SPRING = ("aop", "beans", "context", "core", "expression", "web", "web.servlet")
JETTY = ("http", "io", "security", "server", "servlet", "util")
JACKSON = ("annotations", "core", "databind")
# The frameworks, by the file without which Debian's package is missing.
PACKAGES = {
    "python": {"python3-django": "/usr/lib/python3/dist-packages/django"},
    "node": {"node-express": "/usr/share/nodejs/express"},
    "go": {},
    "rust": {},
    "ruby": {"ruby-rails": "/usr/bin/rails", "puma": "/usr/bin/puma",
             "ruby-sqlite3": "/usr/share/doc/ruby-sqlite3"},
    "php": {"php-laravel-framework": "/usr/share/php/Illuminate/Foundation/Application.php",
            "php-sqlite3": "/usr/share/doc/php8.2-sqlite3", "php-mbstring": "/usr/share/doc/php8.2-mbstring"},
    "java": {
        "libspring-web-servlet-java": f"{JARS}/spring3-web.servlet.jar", "libspring-web-java": f"{JARS}/spring3-web.jar",
        "libspring-context-java": f"{JARS}/spring3-context.jar", "libjetty9-java": f"{JARS}/jetty9-servlet.jar",
        "libjackson2-databind-java": f"{JARS}/jackson-databind.jar",
        "libservlet-api-java": f"{JARS}/servlet-api.jar", "libcommons-logging-java": f"{JARS}/commons-logging.jar",
    },
}
ACCESS = "the access token of anna"
WAIT = 600  # seconds, which end a hung server or job


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


class Server:
    """A running example. Its output has a line for each push that it would send."""

    def __init__(self, project, command, environment, job=None):
        self.port, self.job, self.project = free_port(), job, project
        self.environment = ENVIRONMENT | {
            "HOME": str(project.home), "PORT": str(self.port), "ACCESS_TOKENS": json.dumps({ACCESS: "anna"}),
            "KEYRING": str(project.directory / "server.jwks")} | environment
        self.output = project.directory / "output"
        self.command = [str(part).replace("PORT", str(self.port)) for part in command]

    @contextlib.contextmanager
    def running(self):
        with open(self.output, "wb") as output:
            process = subprocess.Popen(self.command, cwd=self.project.directory / "example", env=self.environment,
                                       stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
            try:
                self.wait("the server", lambda: self.is_open(process))
                yield self
            finally:
                process.terminate()
                process.wait(TIMEOUT)

    def is_open(self, process):
        if process.poll() is not None:
            raise Failure(f"The example ended with {process.returncode}:\n{self.output.read_text()[-3000:]}")
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def wait(self, subject, condition):
        end = time.monotonic() + WAIT
        while not condition():
            if time.monotonic() > end:
                raise Failure(f"{subject} didn't come in {WAIT} s:\n{self.output.read_text(errors='replace')[-3000:]}")
            time.sleep(0.05)

    def post(self, path, body, access=ACCESS):
        """Returns the status, the text and the header Date of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {access}"} if access else {})
        with contextlib.closing(connection):
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(errors="replace"), answer.getheader("Date")

    def run_job(self):
        if self.job:
            result = subprocess.run([str(part) for part in self.job], cwd=self.project.directory / "example",
                                    env=self.environment, capture_output=True, timeout=TIMEOUT)
            with open(self.output, "ab") as output:
                output.write(result.stdout + result.stderr)

    def pushes(self):
        lines = self.output.read_text(errors="replace").splitlines(keepends=True)
        return [json.loads(line) for line in lines if line.startswith('{"token"') and line.endswith("\n")]


def device(text, token=TOKEN):
    return json.dumps({"registration": text, "token": token})


def expect_status(server, subject, wanted, *request, **options):
    status, text, date = server.post(*request, **options)
    if status != wanted:
        raise Failure(f"The answer to {subject} is {status} instead of {wanted}: {text[:500]}\n"
                      f"{server.output.read_text(errors='replace')[-2000:]}")
    if status == 200 and not date:
        raise Failure(f"The answer to {subject} has no date.")
    return text


def exercise(server):
    """Registers a device, sends invalid requests, and opens what the job has sealed."""
    text = registration(generation=3)
    expect_status(server, "a request without access", 401, "/devices", device(text), access=None)
    expect_status(server, "wrong access", 401, "/devices", device(text), access="the access token of bert")
    expect_status(server, "a registration", 200, "/devices", device(text, TOKEN.upper()))
    expect_status(server, "the same registration", 200, "/devices", device(text))
    stale = expect_status(server, "an earlier generation", 409, "/devices", device(registration(generation=2)))
    expect("the stale answer", {"generation": 3}, json.loads(stale))
    expect_status(server, "a registration with a string", 400, "/devices", device(registration(generation="4")))
    expect_status(server, "a wrong token", 400, "/devices", device(text, "0a"))
    for body in ("{", "[]", "{}", device(7), device(text, 7), json.dumps({"registration": text})):
        expect_status(server, body, 400, "/devices", body)
    other = registration(generation=1, key=public(keys()["bob"]))
    expect_status(server, "a second device", 200, "/devices", device(other, "0b" * 32))
    expect_status(server, "a next generation", 200, "/devices", device(
        registration(generation=4, key=public(keys()["bob"])), "0B" * 32))
    expect_status(server, "a message without access", 401, "/messages", PAYLOAD, access=None)
    expect_status(server, "a message", 202, "/messages", PAYLOAD)
    server.run_job()
    server.wait("a push for each device", lambda: len(server.pushes()) >= 2)
    pushes = {push["token"]: push for push in server.pushes()}
    expect("the tokens", {TOKEN, "0b" * 32}, set(pushes))
    push = pushes[TOKEN]
    expect("the original", PAYLOAD.decode(), original(push["payload"]))
    expect("the topic", "com.example.app", push["headers"]["apns-topic"])


def python(project):
    program = project.directory / "venv" / "bin" / "python"
    project.run(program, "manage.py", "migrate", "--run-syncdb", directory=project.directory / "example")
    issue = f"from push.models import AccessToken; AccessToken.issue('anna', '{ACCESS}')"
    project.run(program, "manage.py", "shell", "-c", issue, directory=project.directory / "example")
    server = Server(project, [program, "-u", "manage.py", "runserver", "--noreload", "PORT"], {},
                    [program, "manage.py", "seal_messages"])
    with server.running():
        exercise(server)


def node(project):
    with Server(project, [*NODE, "server.js"], {}).running() as server:
        exercise(server)


def go(project):
    directory = project.directory / "example"
    project.run("/usr/bin/go", "mod", "edit", *go_replacements(project), directory=directory, environment=GO)
    project.run("/usr/bin/go", "build", "-o", "server", ".", directory=directory, environment=GO)
    project.run("/usr/bin/go", "vet", ".", directory=directory, environment=GO)
    with Server(project, [directory / "server"], {}).running() as server:
        exercise(server)


def ruby(project):
    rails = {"PUSHCRYPT_GEM": str(project.package), "RAILS_ENV": "production"}
    directory = project.directory / "example"
    project.run("/usr/bin/bundle", "install", "--local", "--quiet", directory=directory, environment=rails)
    issue = f"load 'db/schema.rb'; AccessToken.issue('anna', '{ACCESS}')"
    project.run("bin/rails", "runner", issue, directory=directory, environment=rails)
    command = ["/usr/bin/bundle", "exec", "puma", "--bind", "tcp://127.0.0.1:PORT"]
    with Server(project, command, rails).running() as server:
        exercise(server)


def php(project):
    """Composer can't get Laravel without a network, so Debian's Laravel is provided by the project itself."""
    directory = project.directory / "example"
    members = json.loads((directory / "composer.json").read_text())
    members["repositories"]["pushcrypt"] |= {"url": str(project.package), "options": {"symlink": False}}
    members["autoload"]["files"] = ["/usr/share/php/Illuminate/autoload.php"]
    members["repositories"]["packagist.org"] = False
    members["provide"] = {"laravel/framework": "8.83.26"}
    (directory / "composer.json").write_text(json.dumps(members))
    project.run("/usr/bin/composer", "install", "--no-interaction", directory=directory, environment=COMPOSER)
    (directory / "database" / "example.sqlite").touch()
    for arguments in (("migrate", "--force"), ("user:add", "anna", ACCESS)):
        project.run("/usr/bin/php", "artisan", *arguments, directory=directory)
    server = Server(project, ["/usr/bin/php", "-S", "127.0.0.1:PORT", "public/index.php"], {},
                    ["/usr/bin/php", "artisan", "queue:work", "--stop-when-empty", "--tries=1"])
    with server.running():
        exercise(server)


def java(project):
    """Debian's jars are the class path, because its Maven repository doesn't have all versions of the example."""
    directory = project.directory / "example"
    installed = project.directory / "local" / "com" / "example" / "pushcrypt" / version() / f"pushcrypt-{version()}.jar"
    jars = [installed, BCPROV, f"{JARS}/servlet-api.jar", f"{JARS}/commons-logging.jar",
            *(f"{JARS}/spring3-{name}.jar" for name in SPRING), *(f"{JARS}/jetty9-{name}.jar" for name in JETTY),
            *(f"{JARS}/jackson-{name}.jar" for name in JACKSON)]
    path = ":".join(map(str, jars))
    sources = sorted((directory / "src" / "example").glob("*.java"))
    compiler = ("/usr/bin/javac", "--release", "17", "-encoding", "UTF-8", "-parameters", "-d", "classes")
    project.run(*compiler, "-cp", path, *sources, directory=directory)
    command = ["/usr/bin/java", "-cp", f"classes:{path}", "example.Example"]
    with Server(project, command, {}).running() as server:
        exercise(server)


def rust(project):
    directory = project.directory / "example"
    manifest = directory / "Cargo.toml"
    manifest.write_text(manifest.read_text().replace('path = ".."', f'path = "{project.package}"'))
    project.run(CARGO, "build", "--locked", "--offline", directory=directory)
    project.run(CARGO, "test", "--locked", "--offline", directory=directory)
    with Server(project, [directory / "target" / "debug" / "example"], {}).running() as server:
        exercise(server)


EXAMPLES = {"python": python, "node": node, "go": go, "ruby": ruby, "php": php, "java": java, "rust": rust}
