# file: common/lab/lab_main.c
# test: tests/course/lab_program words_of_the_runner
s/if (lab->look && !options->words)/if (lab->look)/
