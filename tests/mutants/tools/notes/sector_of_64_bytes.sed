# file: tools/notes/warp.py
# test: tests/notes/notes_units.sh
s|LANES, SECTOR, WORD, BANKS = 32, 32, 4, 32|LANES, SECTOR, WORD, BANKS = 32, 64, 4, 32|
