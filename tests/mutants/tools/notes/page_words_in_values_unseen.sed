# file: tools/notes/page_words.py
# test: tests/notes/chinese_words.sh
s/            i = literals_within(source, i + 2, found, line.*/            i = source.index("}", i) + 1/
