#!/bin/sh
# view_notes.sh: what the notes say of the viewer (./run LAB --view) holds: tests/viewer/notes.py runs each of their commands.
export LC_ALL=C PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=tests/harness
cd "$(dirname "$0")/../.." || exit 2
[ "${1:-cpu}" = cpu ] || { echo "ok # SKIP the notes on the viewer: for the CPU device"; exit 0; }
command -v python3 >/dev/null || { echo "ok # SKIP the notes on the viewer: there is no python3"; exit 0; }
out=build/cpu/tests/view/notes
mkdir -p $out
exec python3 tests/viewer/notes.py $out lecture03_*/README.md lecture05_*/README.md lecture11_*/README.md lecture14_*/README.md
