#!/bin/sh
# notes.sh [--check | --accept]: make notes. tools/notes/__main__.py does it and says what a note may ask for.
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 2
command -v python3 >/dev/null || { echo "notes: no python3 here, which writes the notes: install it" >&2; exit 2; }
PYTHONPATH=tools exec python3 -B -m notes "$@"
