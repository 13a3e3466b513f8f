# file: tools/grading/copying.c
# test: tests/grading/grading_answer all
s/is_digraph(p) || //
