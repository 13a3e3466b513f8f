# file: tools/notes/warp.py
# test: tests/notes/notes_units.sh
s|    together = LANES // .*|    together = LANES|
