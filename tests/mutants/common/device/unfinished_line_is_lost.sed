# file: common/device/words.c
# test: tests/course/lab_program lines_in_chinese
# what was printed after the last end of a line is not printed
s/^        if (s->used) {/        if (0) {/
