# file: tools/grading/copying.c
# test: tests/grading/grading_answer all
s/ == 0 && next == '\*')/ == 0 \&\& p[n] == '*')/
