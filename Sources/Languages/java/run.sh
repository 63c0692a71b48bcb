#!/bin/sh
# Compiles the sources once after each change, and runs a class. BCPROV names BouncyCastle's JAR file.
set -eu
# A service can run without HOME.
: "${HOME:=$(eval "echo ~$(id -un)")}"
export HOME
class=$1 && shift
here=$(cd "$(dirname "$0")" && pwd -P)
jar=${BCPROV:-/usr/share/java/bcprov.jar}
version=$(cat "$here"/src/pushcrypt/*.java | sha256sum | cut -c 1-16)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/pushcrypt-java/$version
if [ ! -d "$cache" ]; then
    mkdir -p "$(dirname "$cache")"
    work=$(mktemp -d "$cache.XXXXXX")
    javac -Xlint:all,-path --release 17 -encoding UTF-8 -cp "$jar" -d "$work" "$here"/src/pushcrypt/*.java >&2
    mv -T "$work" "$cache" 2>/dev/null || rm -r "$work" # Another process can be faster.
fi
# Java decodes arguments with the locale's encoding.
LC_ALL=C.UTF-8 exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$cache:$jar" "pushcrypt.$class" "$@"
