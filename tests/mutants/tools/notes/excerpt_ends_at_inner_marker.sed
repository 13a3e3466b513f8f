# file: tools/notes/excerpt.py
# test: tests/notes/notes_units.sh
s/            depth += 1/            pass/
