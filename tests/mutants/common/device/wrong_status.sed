# file: common/device/error.c
# test: tests/course/command_line labs
s/exit(2)/exit(1)/
