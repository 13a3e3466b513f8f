# file: tools/course/grade.c
# test: tests/course/exercises checked_steps
# an answer's heading stays in English
s/if (say_in_chinese()) { \/\* the heading/if (0) { \/* the heading/
