# file: common/lab/lab_table.c
# test: tests/course/lab_program
s/recorded = strcmp(l->recorded.size, l->size) == 0;/recorded = 1;/
