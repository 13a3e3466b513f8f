# file: common/lab/lab_judge.c
# test: tests/grading/grading_judge
s/^    memset(j->line.memory, 0xff, bytes);/    (void)bytes;/
