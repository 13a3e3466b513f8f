# file: tools/course/run.c
# test: tests/course/command_line runner
s/if (answer == 'q')/if (answer == 'Q')/
