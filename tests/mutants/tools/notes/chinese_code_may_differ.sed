# file: tools/notes/chinese.py
# test: tests/notes/notes_chinese.sh
s/            block.key = key_of(block)$/            block.key = ""/
