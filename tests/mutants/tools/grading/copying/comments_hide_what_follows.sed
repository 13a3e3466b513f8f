# file: tools/grading/copying.c
# test: tests/grading/grading_answer all
s/^        } else if (p\[0\] == '\/' && p\[1\] == '\*') {$/        } else if (0) {/
