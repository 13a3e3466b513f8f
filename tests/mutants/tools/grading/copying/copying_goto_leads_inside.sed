# file: tools/grading/copying.c
# test: tests/grading/grading_answer
s/return depth > lowest || /return /
