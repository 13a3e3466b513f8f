# file: tools/grading/verdict.c
# test: tests/grading/grading_full_disk.sh
s/errors\[\] = {ENOSPC, /errors[] = {/
