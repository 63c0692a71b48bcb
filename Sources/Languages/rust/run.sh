#!/bin/sh
# Builds a command once after each change, and runs it.
set -eu
name=$1 && shift
# A service can run without HOME.
: "${HOME:=$(eval "echo ~$(id -un)")}"
export HOME
# The runtime of Rust replaces a closed input or output, so that its failure isn't visible.
if ! { true 3<&0 4>&1; } 2>/dev/null; then
    echo "$name: error: The input or the output is closed. Open it." >&2
    exit 1
fi
here=$(cd "$(dirname "$0")" && pwd -P)
version=$({ cat "$here/Cargo.toml" "$here/Cargo.lock" && find "$here/src" -name '*.rs' -print0 | sort -z | xargs -0 cat; } |
    sha256sum | cut -c 1-16)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/pushcrypt-rust/$version
if [ ! -x "$cache/$name" ]; then
    mkdir -p "$cache"
    work=$(mktemp -d "$cache/build.XXXXXX")
    features=
    [ "$name" = seal ] || features=check
    (cd "$here" && cargo build --quiet --release --locked --offline --features "$features" --bin "pushcrypt-$name" \
        --target-dir "$work") >&2
    mv "$work/release/pushcrypt-$name" "$cache/$name"
    rm -r "$work"
fi
exec "$cache/$name" "$@"
