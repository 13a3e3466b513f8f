# file: tools/grading/copying.c
# test: tests/grading/grading_answer all
s/(p\[1\] == '>' || p\[1\] == ':')) ||/p[1] == ':') ||/
