# file: common/terminal.h
# test: tests/course/command_line labs
s/isatty(fileno(to))/to/
