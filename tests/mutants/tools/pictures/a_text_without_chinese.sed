# file: tools/pictures/chinese.inc
# test: tests/notes/chinese_words.sh
# a text of a picture has no Chinese
/^SAY("bank %d"/d
