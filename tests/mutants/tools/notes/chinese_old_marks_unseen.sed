# file: tools/notes/chinese.py
# test: tests/notes/notes_chinese.sh
s/block.line not in at and lines/False and lines/
