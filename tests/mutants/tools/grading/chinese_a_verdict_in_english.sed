# file: tools/grading/chinese.inc
# test: tests/notes/chinese_words.sh
# a verdict has no Chinese
/^SAY("the program crashed"/d
