# file: tools/course/chinese.inc
# test: tests/notes/chinese_words.sh
# a stage has no Chinese title
/^SAY("whole sectors"/d
