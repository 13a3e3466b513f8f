#!/bin/sh
# site_browser.sh: runs site_browser.py, which says what it tests, with the Python of the checks in a browser.
cd "$(dirname "$0")/../.." || exit 2
python=$(git rev-parse --show-toplevel 2>/dev/null)/build/browser-env/bin/python # of the checkout, also in a tree of links
[ -x "$python" ] || { echo "ok # SKIP the checks in a browser: tools/site/make.py check --browser has not been run here"; exit 0; }
PYTHONPATH=tools/site:tests/harness exec "$python" -B tests/notes/site_browser.py
