# file: common/terminal.h
# test: tests/course/command_line colours
s/!(no && \*no)/(!no || *no)/
