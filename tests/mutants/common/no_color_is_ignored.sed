# file: common/terminal.h
# test: tests/course/command_line labs
s/!(no && \*no)/(!no || *no)/
