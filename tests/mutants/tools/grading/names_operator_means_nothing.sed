# file: tools/grading/names.c
# test: tests/grading/grading_answer all
s/ nullptr operator or / nullptr or /
