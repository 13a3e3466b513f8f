# file: tools/notes/chinese.py
# test: tests/notes/notes_chinese.sh
s/^    (re.compile(rf"{HAN}\[A-Za-z0-9\].*//
