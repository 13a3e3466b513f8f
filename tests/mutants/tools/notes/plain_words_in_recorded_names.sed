# file: tools/notes/plain_words.py
# test: tests/notes/notes_units.sh
s/under way\\b(?! \\|)/under way\\b/
