# file: tools/notes/plain_words.py
# test: tests/notes/notes_units.sh
s/^        if code or line.startswith("    "):/        if not code and not line.startswith("    "):/
