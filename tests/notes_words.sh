#!/bin/sh
# notes_words.sh: runs notes_words.py, which says what it tests.
command -v python3 >/dev/null || { echo "ok # SKIP no python3 here, in which this test is written"; exit 0; }
exec python3 -B "${0%.sh}.py" "$@"
