# file: cpudevice/checker/host/errors.c
# test: tests/house/absent.sh
s/the error was never checked/nobody has asked for the error/
