#!/usr/bin/env python3
r"""Converts the documentation of the products with the toolchain's docc. Each warning is an error.

    swift build --build-tests --traits APNs,FastX25519 --scratch-path .build-traits
    .ci/docs.py --check             converts only
    .ci/docs.py                     writes the site to .build-docs/site
    python3 -m http.server --directory .build-docs/site 8000
    chromium --headless --no-sandbox --virtual-time-budget=8000 --screenshot=page.png \
        http://localhost:8000/documentation/pushcryptsender/

All pages: http://localhost:8000/documentation/

A product is documented if it has a catalogue, Sources/PRODUCT/PRODUCT.docc. Its symbols are those that a user of
`import PRODUCT` sees: with the symbols of the modules that it re-exports, except in PRODUCTS_ALONE.

To add a page, write ARTICLE.md into the catalogue: a title ("# Rotate keys"), a summary of one sentence, then
"## Overview". List it under "## Topics" on the landing page, PRODUCT.md, as "- <doc:ARTICLE>", and a symbol as
"- ``Sealer``" or "- ``Sealer/init(signingKey:)``". A link that does not resolve fails this script, as does a top-level
symbol that no group of the landing page lists.
"""

import json
import pathlib
import shutil
import subprocess
import sys

import symbols

OUTPUT = symbols.ROOT / ".build-docs"
# The other modules have catalogues of their own.
PRODUCTS_ALONE = {"PushCryptLint", "PushCryptTesting", "PushCryptAPNs", "PushCryptAPNsTesting"}


def ungrouped(product, archive):
    """The top-level symbols of a product that no group of its landing page lists."""
    page = json.loads((archive / f"data/documentation/{product.lower()}.json").read_text())
    return [identifier.split("/")[-1] for section in page.get("topicSections", []) if section.get("generated")
            for identifier in section["identifiers"]]


def main():
    checks_only = sys.argv[1:] == ["--check"]
    docc = pathlib.Path(symbols.toolchain()["paths"]["runtimeResourcePath"]).parents[1] / "bin/docc"
    catalogues, libraries = sorted(symbols.ROOT.glob("Sources/*/*.docc")), symbols.libraries()
    if len(catalogues) < 5:
        sys.exit(f"Only {len(catalogues)} catalogues are in Sources.")
    shutil.rmtree(OUTPUT, ignore_errors=True)
    failed, archives = False, []
    for catalogue in catalogues:
        product = catalogue.stem
        graphs = OUTPUT / "graphs" / product
        symbols.extract(product, graphs, reexported=[] if product in PRODUCTS_ALONE else libraries)
        archive = OUTPUT / f"{product}.doccarchive"
        result = subprocess.run(
            [docc, "convert", catalogue, "--additional-symbol-graph-dir", graphs, "--output-path", archive,
             "--fallback-display-name", product, "--fallback-bundle-identifier", product,
             "--fallback-default-module-kind", "Library", "--warnings-as-errors",
             "--no-transform-for-static-hosting" if checks_only else "--transform-for-static-hosting"],
            cwd=symbols.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        failed = failed or result.returncode != 0
        archives.append(archive)
        if result.returncode == 0 and (missing := ungrouped(product, archive)):
            failed = True
            print(f"List these in {catalogue.name}/{product}.md: {', '.join(missing)}")
        print(f"{product}: {sum(1 for _ in archive.glob('data/**/*.json'))} pages\n{result.stdout.strip()}".strip())
    if failed:
        sys.exit("Fix the doc comments, articles and landing pages above.")
    if checks_only:
        return
    symbols.run(docc, "merge", *archives, "--synthesized-landing-page-name", "PushCrypt",
                "--synthesized-landing-page-kind", "Package", "--output-path", OUTPUT / "site")


main()
