"""The languages' own tools, which install a package into an empty project."""

import json
import re

from implementations import BCPROV, CARGO, GO_MODULES, NODE, PYTHON, Failure
from project import expect, version
from recipes import PAYLOAD

MAVEN = "/usr/share/maven-repo"
# What the tools need, besides the packages of Tests/Interop. A package is installed if its file is missing.
PACKAGES = {
    "python": {
        "python3-pip": "/usr/bin/pip3", "python3-venv": "/usr/share/doc/python3-venv",
        # pip looks for the package that Debian's python3-nacl needs at build time only.
        "python3-cffi": "/usr/lib/python3/dist-packages/cffi",
        "python3-setuptools": "/usr/lib/python3/dist-packages/setuptools",
        "python3-wheel": "/usr/lib/python3/dist-packages/wheel", "mypy": "/usr/bin/mypy",
    },
    "node": {"npm": "/usr/bin/npm", "node-typescript": "/usr/bin/tsc"},
    "go": {},
    "rust": {},
    "ruby": {"ruby-bundler": "/usr/bin/bundle"},
    "php": {"composer": "/usr/bin/composer"},
    "java": {
        "maven": "/usr/bin/mvn", "maven-debian-helper": "/usr/share/doc/maven-debian-helper",
        "libmaven-install-plugin-java": f"{MAVEN}/org/apache/maven/plugins/maven-install-plugin",
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
    project.expect_sealed(project.run(program, project.recipe("recipe.py")))
    check = (program, "-m", "pushcrypt.check")
    project.expect_check(project.run(*check))
    expect("the printed version", version(), project.run(*check, "--version").decode().strip())
    shown = project.run(program, "-m", "pip", "show", "pushcrypt").decode().splitlines()
    expect("pip's version", f"Version: {version()}", shown[1])
    expect("functions without a comment", b"", project.run(program, "-c", DOCUMENTED_PYTHON))
    mypy = ("/usr/bin/mypy", "--strict", "--python-executable", program)
    project.run(*mypy, "-p", "pushcrypt")
    project.run(*mypy, project.write("typed.py", TYPED_PYTHON))
    found = project.run(*mypy, project.write("untyped.py", UNTYPED_PYTHON), statuses=(1,))
    if b'Missing positional argument "to"' not in found:
        raise Failure(f"mypy doesn't know the types: {found.decode()}")


TYPED_NODE = """\
import { PushCryptError, Recipient, Row, Sealer, VERSION } from 'pushcrypt';

export function seal(text: Uint8Array): string {
  const row: Row = Row.accept(text, '0a'.repeat(32), { account: 'anna' });
  const recipient: Recipient = row.recipient;
  const { payload, headers } = Sealer.anonymous().seal({ aps: { alert: 'Hello' } }, recipient, { priority: 5 });
  const id: string = headers['apns-id'];
  return VERSION + id + payload.toString() + (new Error() instanceof PushCryptError);
}
"""
UNTYPED_NODE = "import { Sealer } from 'pushcrypt';\n\nSealer.anonymous().seal({});\n"
# The names and values of the ES module are those of the CommonJS one, and those of the declarations.
BOTH_NODE = """\
import { createRequire } from 'node:module';
import fs from 'node:fs';
import * as module from 'pushcrypt';

const require = createRequire(import.meta.url);
const text = fs.readFileSync(new URL('./node_modules/pushcrypt/pushcrypt.d.ts', import.meta.url), 'utf8');
const declared = [...text.matchAll(/^export (?:class|const|function) (\\w+)/gm)].map(([, name]) => name);
const names = Object.keys(module).filter((name) => name !== 'default');
const areSame = names.every((name) => module[name] !== undefined && module[name] === require('pushcrypt')[name]);
console.log(areSame && names.sort().join() === declared.sort().join() ? 'same' : `${names}; ${declared}`);
"""
DECLARATION = re.compile(r"^(?:export |  (?!private )[a-zA-Z].*[;(]$)")


def undocumented_declarations(text):
    """Returns the declarations without a comment in the line before them."""
    lines = text.splitlines()
    return [line for before, line in zip(lines, lines[1:]) if DECLARATION.match(line) and not before.endswith("*/")]


def node(project):
    npm = ("/usr/bin/npm", "--offline", "--no-audit", "--no-fund")
    project.run(*npm, "install", "--install-links", project.package, "/usr/share/nodejs/tweetnacl")
    files = ("server.jwks", "registration.json")
    project.expect_sealed(project.run(*NODE, project.recipe("recipe.js"), *files, text=PAYLOAD))
    check = ("/usr/bin/npx", "--no-install", "pushcrypt-check")
    project.expect_check(project.run(*check))
    expect("the printed version", version(), project.run(*check, "--version").decode().strip())
    expect("the names of both modules", "same\n", project.run(*NODE, project.write("both.mjs", BOTH_NODE)).decode())
    declarations = (project.directory / "node_modules" / "pushcrypt" / "pushcrypt.d.ts").read_text()
    expect("declarations without a comment", [], undocumented_declarations(declarations))
    tsc = ("/usr/bin/tsc", "--strict", "--noEmit", "--target", "es2022", "--module", "node16")
    for name in ("typed.cts", "typed.mts"):
        project.run(*tsc, project.write(name, TYPED_NODE))
    found = project.run(*tsc, project.write("untyped.mts", UNTYPED_NODE), statuses=(1, 2))
    if b"Expected 2-3 arguments" not in found:
        raise Failure(f"TypeScript doesn't know the types: {found.decode()}")


GO = {"GOPROXY": "off", "GOFLAGS": "-mod=mod"}
VERSION_OF_GO = """\
package main

import (
	"fmt"

	"example.com/pushcrypt"
)

func main() { fmt.Print(pushcrypt.Version) }
"""
EXPORTED_GO = re.compile(r"(?:func|type|var|const) (?:\(\w* ?\*?[A-Z]\w*\) )?[A-Z]")


def go_replacements(project):
    """Returns the options with which a module uses the package, and Debian's modules."""
    replaced = {"example.com/pushcrypt": project.package} | {
        f"golang.org/x/{part}": f"{GO_MODULES}/{part}" for part in ("crypto", "sys")}
    return [f"-replace={module}={path}" for module, path in replaced.items()]


def undocumented_go(package):
    """Returns the exported declarations without a comment in the line before them."""
    return [line for path in sorted(package.glob("*.go")) if not path.name.endswith("_test.go")
            for lines in [path.read_text().splitlines()] for before, line in zip(lines, lines[1:])
            if EXPORTED_GO.match(line) and not before.startswith("//")]


def go(project):
    def run(*command):
        return project.run("/usr/bin/go", *command, environment=GO, text=PAYLOAD)

    run("mod", "init", "example.com/server")
    run("mod", "edit", "-require=example.com/pushcrypt@v0.1.0", *go_replacements(project))
    project.recipe("recipe/main.go")
    project.write("version/main.go", VERSION_OF_GO)
    project.expect_sealed(run("run", "./recipe", "server.jwks", "registration.json"))
    expect("the printed version", version(), run("run", "./version").decode())
    run("vet", "example.com/pushcrypt/...")
    output = run("test", "-v", "example.com/pushcrypt/...").decode()
    passed = re.findall(r"pushcrypt (\S+): (\d+) vectors passed, 0 failed", output)
    expect("the versions", [version()] * 2, [each for each, _ in passed])
    expect("the vectors", project.count, sum(int(count) for _, count in passed))
    expect("declarations without a comment", [], undocumented_go(project.package))


# Public methods without a comment, but not those of internal modules, by the parser of Ruby's own documentation.
DOCUMENTED_RUBY = """\
require "rdoc"
options = RDoc::Options.new
store = RDoc::Store.new
ARGV.each do |file|
  top = store.add_file(file, parser: RDoc::Parser::Ruby)
  RDoc::Parser::Ruby.new(top, file, File.read(file), options, RDoc::Stats.new(store, 0)).scan
end
methods = store.all_classes_and_modules.flat_map(&:method_list)
ignored = %w[new initialize inspect to_s]
found = methods.select { |each| each.visibility == :public && each.comment.empty? && !ignored.include?(each.name) }
puts(found.map(&:full_name).reject { |name| name.match?(/::(Check|StrictJSON|JWK|PayloadRules|Carriers)/) })
"""


def ruby(project):
    project.run("/usr/bin/gem", "build", "--silent", "pushcrypt.gemspec", directory=project.package)
    gems = {"GEM_HOME": str(project.directory / "gems")}
    file = project.package / f"pushcrypt-{version()}.gem"
    project.run("/usr/bin/gem", "install", "--local", "--no-document", "--silent", file, environment=gems)
    project.expect_sealed(project.run("/usr/bin/ruby", project.recipe("recipe.rb"), environment=gems))
    installed = project.directory / "gems" / "bin" / "pushcrypt-check"
    project.expect_check(project.run(installed, environment=gems))
    expect("the printed version", version(), project.run(installed, "--version", environment=gems).decode().strip())
    project.write("Gemfile", f'gem "pushcrypt", path: "{project.package}"\n')
    project.run("/usr/bin/bundle", "install", "--local", "--quiet")
    by_path = ("/usr/bin/bundle", "exec")
    project.expect_sealed(project.run(*by_path, "ruby", "recipe.rb"))
    expect("Bundler's version", version(), project.run(*by_path, "pushcrypt-check", "--version").decode().strip())
    found = project.run("/usr/bin/ruby", "-e", DOCUMENTED_RUBY, *sorted((project.package / "lib").rglob("*.rb")))
    expect("methods without a comment", "", found.decode())


COMPOSER = {"COMPOSER_ALLOW_SUPERUSER": "1", "COMPOSER_DISABLE_NETWORK": "1"}
# Public functions without a comment, but not those of internal classes.
DOCUMENTED_PHP = """\
require 'vendor/autoload.php';
$internal = '/^PushCrypt.(StrictJson|Node|Number|Jwk|PayloadRules|Carriers|CarrierContent)/';
foreach (require 'vendor/composer/autoload_classmap.php' as $class => $file) {
    if (!str_starts_with($class, 'PushCrypt') || preg_match($internal, $class)) {
        continue;
    }
    $reflection = new ReflectionClass($class);
    foreach ([$reflection, ...$reflection->getMethods(ReflectionMethod::IS_PUBLIC)] as $each) {
        $isOwn = $each instanceof ReflectionClass || $each->class === $class && !str_starts_with($each->name, '__');
        if ($isOwn && $each->getDocComment() === false) {
            echo $class, ' ', $each->name, "\\n";
        }
    }
}
"""


def php(project):
    def composer(*arguments):
        return project.run("/usr/bin/composer", "--no-interaction", *arguments, environment=COMPOSER)

    project.write("composer.json", '{"name": "example/project", "repositories": {"packagist.org": false}}')
    repository = json.dumps({"type": "path", "url": str(project.package), "options": {"symlink": False}})
    composer("config", "repositories.pushcrypt", repository)
    composer("require", "pushcrypt/pushcrypt")
    if version() not in composer("show", "pushcrypt/pushcrypt").decode():
        raise Failure("Composer shows another version.")
    project.expect_sealed(project.run("/usr/bin/php", project.recipe("recipe.php")))
    project.expect_check(project.run("vendor/bin/pushcrypt-check"))
    expect("the printed version", version(), project.run("vendor/bin/pushcrypt-check", "--version").decode().strip())
    printed = project.run("/usr/bin/php", "-r", "require 'vendor/autoload.php'; echo PushCrypt\\VERSION;")
    expect("the constant", version(), printed.decode())
    expect("functions without a comment", "", project.run("/usr/bin/php", "-r", DOCUMENTED_PHP).decode())


# Debian's repository has BouncyCastle under another name, so the project has a repository with this one.
SETTINGS = """\
<settings><localRepository>{0}/local</localRepository><profiles><profile><id>offline</id>
<repositories><repository><id>central</id><url>file://{1}</url></repository>
<repository><id>own</id><url>file://{0}/own</url></repository></repositories>
<pluginRepositories><pluginRepository><id>central</id><url>file://{1}</url></pluginRepository></pluginRepositories>
</profile></profiles><activeProfiles><activeProfile>offline</activeProfile></activeProfiles></settings>
"""
POM = """\
<project><modelVersion>4.0.0</modelVersion><groupId>{0}</groupId><artifactId>{1}</artifactId><version>{2}</version>
<properties><maven.compiler.release>17</maven.compiler.release>
<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>
<dependencies>{3}</dependencies></project>
"""
DEPENDENCY = """\
<dependency><groupId>com.example</groupId><artifactId>pushcrypt</artifactId><version>{0}</version></dependency>"""


def java(project):
    own = project.directory / "own" / "org" / "bouncycastle" / "bcprov-jdk18on" / "1.72"
    own.mkdir(parents=True)
    (own / "bcprov-jdk18on-1.72.jar").symlink_to(BCPROV)
    (own / "bcprov-jdk18on-1.72.pom").write_text(POM.format("org.bouncycastle", "bcprov-jdk18on", "1.72", ""))
    settings = project.write("settings.xml", SETTINGS.format(project.directory, MAVEN))
    maven = ("/usr/bin/mvn", "--batch-mode", "--settings", settings)
    project.run(*maven, "--file", project.package / "pom.xml", "install")
    project.write("pom.xml", POM.format("com.example", "server", "1", DEPENDENCY.format(version())))
    project.recipe("src/main/java/Recipe.java")
    project.run(*maven, "compile")
    installed = project.directory / "local" / "com" / "example" / "pushcrypt" / version() / f"pushcrypt-{version()}.jar"
    path = f"target/classes:{installed}:{BCPROV}"
    files = ("server.jwks", "registration.json")
    project.expect_sealed(project.run("/usr/bin/java", "-cp", path, "Recipe", *files, text=PAYLOAD))
    check = ("/usr/bin/java", "-cp", path, "pushcrypt.Check")
    project.expect_check(project.run(*check))
    expect("the printed version", version(), project.run(*check, "--version").decode().strip())
    sources = sorted((project.package / "src" / "pushcrypt").glob("*.java"))
    comments = ("-Xdoclint:missing/public", "-Xmaxwarns", "1000", "-Xstdout", "warnings", "-proc:none")
    project.run("/usr/bin/javac", *comments, "--release", "17", "-encoding", "UTF-8", "-cp", BCPROV, "-d", "documented",
                *sources)
    warnings = (project.directory / "warnings").read_text().splitlines()
    expect("what has no comment", [], [line for line in warnings if line.endswith("warning: no comment")])


VERSION_OF_RUST = 'fn main() { print!("{}", pushcrypt::VERSION) }\n'


def rust(project):
    def cargo(*command, text=b""):
        return project.run(CARGO, *command, "--offline", text=text)

    project.run(CARGO, "init", "--vcs", "none", "--name", "server")
    cargo("add", "--path", project.package)
    project.recipe("src/main.rs")
    project.write("src/bin/version.rs", VERSION_OF_RUST)
    run = ("run", "--quiet", "--bin")
    project.expect_sealed(cargo(*run, "server", "server.jwks", "registration.json", text=PAYLOAD))
    expect("the constant", version(), cargo(*run, "version").decode())
    manifest = ("--manifest-path", project.package / "Cargo.toml", "--locked")
    check = ("run", "--quiet", *manifest, "--features", "check", "--bin", "pushcrypt-check")
    project.expect_check(cargo(*check))
    project.run(CARGO, "test", "--quiet", *manifest, "--features", "check", "--offline")
    printed = project.run(project.package / "target" / "debug" / "pushcrypt-check", "--version")
    expect("the printed version", version(), printed.decode().strip())
    # Public items without a comment are errors of the compiler.
    if "#![deny(missing_docs" not in (project.package / "src" / "lib.rs").read_text():
        raise Failure("The crate doesn't deny missing comments.")


INSTALLS = {"python": python, "node": node, "go": go, "ruby": ruby, "php": php, "java": java, "rust": rust}
