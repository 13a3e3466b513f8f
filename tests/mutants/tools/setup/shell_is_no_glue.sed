# file: tools/setup/lint.sh
# test: tests/house/shell.sh
# a script of 800 lines
p;p;p;p;p;p;p;p;p
