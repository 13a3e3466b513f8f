# file: tools/grading/plain.c
# test: tests/grading/grading_files functions
s/^        const int cr = \*p == '\\r';$/        const int cr = 0;/
