# file: tools/grading/answer.c
# test: tests/grading/grading_answer
s/^            \*comment = 1;$/            *comment = 0;/
