#!/bin/sh
# Builds a command once after each change, and runs it. Debian's golang-golang-x-crypto-dev is used if it is installed.
set -eu
# A service can run without HOME.
: "${HOME:=$(eval "echo ~$(id -un)")}"
export HOME
name=$1 && shift
here=$(cd "$(dirname "$0")" && pwd -P)
version=$(cat "$here"/go.mod "$here"/*.go "$here"/cmd/*/*.go | sha256sum | cut -c 1-16)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/pushcrypt-go/$version
if [ ! -x "$cache/$name" ]; then
    mkdir -p "$cache"
    work=$(mktemp -d "$cache/build.XXXXXX")
    debian=/usr/share/gocode/src/golang.org/x
    cp "$here/go.mod" "$work/go.mod"
    if [ -d "$debian/crypto" ]; then
        (cd "$work" && go mod edit -replace "golang.org/x/crypto=$debian/crypto" -replace "golang.org/x/sys=$debian/sys")
        export GOFLAGS=-mod=mod GOPROXY=off
    fi
    (cd "$here" && go build -modfile "$work/go.mod" -mod=mod -o "$work/$name" "./cmd/$name") >&2
    mv "$work/$name" "$cache/$name"
    rm -r "$work"
fi
exec "$cache/$name" "$@"
