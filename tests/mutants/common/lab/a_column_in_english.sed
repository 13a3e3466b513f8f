# file: common/lab/chinese.inc
# test: tests/notes/chinese_words.sh
# a column of the labs' tables has no Chinese
/^SAY("idea"/d
