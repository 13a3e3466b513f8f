# file: tools/notes/chinese.py
# test: tests/notes/notes_chinese.sh
# a Chinese page may lead to the English page beside a Chinese one
s/and os.path.exists(twin):/and False:/
