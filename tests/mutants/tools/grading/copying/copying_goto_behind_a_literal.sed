# file: tools/grading/copying.c
# test: tests/grading/grading_answer
s/q = \*q == '"' || \*q == '\\'' ? behind_literal(q) : q + 1;/q = q + 1;/
