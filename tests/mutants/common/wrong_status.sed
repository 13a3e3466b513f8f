# file: common/error.c
# test: command_line_test.sh
s/exit(2)/exit(1)/
