# file: common/lab/lab_main.c
# test: tests/course/lab_program
s/if (lab->look && !options->words)/if (lab->look)/
