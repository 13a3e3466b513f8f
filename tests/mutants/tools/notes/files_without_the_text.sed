# file: tools/notes/prose.py
# test: tests/notes/notes_units.sh
s/count += text in f.read()/count += 1/
