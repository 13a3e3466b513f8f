# file: tools/setup/mirror.sh
# test: tests/course/command_line make
s/"\$here"\/\*) die/"$here"\/none) die/
