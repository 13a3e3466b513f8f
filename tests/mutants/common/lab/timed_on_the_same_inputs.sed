# file: common/lab/lab_case.c
# test: tests/course/lab_program
# a rung that keeps its result finds the inputs that it has seen
s/^    c->seed = seed;$/    (void)seed;/
