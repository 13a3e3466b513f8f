# file: tools/notes/warp.py
# test: tests/notes/notes_units.sh
s|LANES \* WORD // max(size, WORD)|LANES|
