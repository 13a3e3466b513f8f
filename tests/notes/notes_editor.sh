#!/bin/sh
# notes_editor.sh: runs notes_editor.py, which says what it tests.
cd "$(dirname "$0")/../.." || exit 2
command -v python3 >/dev/null || { echo "ok # SKIP no python3 here, in which this test is written"; exit 0; }
PYTHONPATH=tools:tests/harness exec python3 -B tests/notes/notes_editor.py "$@"
