# file: tools/grading/verdict.c
# test: tests/grading/grading_verdict
s/errors\[\] = {ENOSPC, /errors[] = {/
