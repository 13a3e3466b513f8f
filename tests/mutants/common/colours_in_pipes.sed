# file: common/terminal.h
# test: tests/course/command_line colours
s/isatty(fileno(to))/to/
