# file: common/device/error.c
# test: command_line
s/exit(2)/exit(1)/
