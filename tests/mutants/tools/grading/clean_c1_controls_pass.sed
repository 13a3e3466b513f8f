# file: tools/grading/clean.c
# test: tests/grading/grading_files functions
s/ || (code >= 127 \&\& code < 160)//
