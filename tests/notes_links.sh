#!/bin/sh
# notes_links.sh: runs notes_links.py, which says what it tests.
command -v python3 >/dev/null || { echo "ok # SKIP no python3 here, in which this test is written"; exit 0; }
exec python3 -B "${0%.sh}.py" "$@"
