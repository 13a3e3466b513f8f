# file: tools/notes/plain_words.py
# test: tests/notes/notes_units.sh
s/(?:multiple|power) of/multiple from/
