# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict compiler
s/ && s->status < 126 && / \&\& /
