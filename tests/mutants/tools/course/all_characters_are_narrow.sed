# file: tools/course/say.c
# test: tests/notes/chinese_words.sh
s/^               ? 2$/               ? 1/
