# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict compiler
s/strstr(l, "multiple definition of")/0/
