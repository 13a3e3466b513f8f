# file: common/lab/lab_table.c
# test: tests/course/lab_program
s/if (strcmp(chip, "h200") == 0) {/if (*chip) {/
