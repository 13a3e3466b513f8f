# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict program
s/{SIGSEGV, SIGBUS,/{SIGKILL, SIGSEGV, SIGBUS,/
