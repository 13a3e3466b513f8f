# file: tools/course/progress.c
# test: tests/notes/chinese_words.sh
s/say_lecture(r/lecture_title(r/
