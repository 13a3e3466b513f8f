# file: tools/course/run.c
# test: tests/course/command_line steps
s/if (answer == 'q')/if (answer == 'Q')/
