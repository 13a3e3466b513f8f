# file: tools/notes/chinese.py
# test: tests/notes/notes_chinese.sh
s/            elif of_english:/            elif False:/
