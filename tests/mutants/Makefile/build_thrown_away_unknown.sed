# file: Makefile
# test: tests/course/built_for.sh
s/|| echo unknown;/|| echo differs;/
