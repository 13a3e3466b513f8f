# file: tools/setup/mirror.sh
# test: tests/course/command_line runner
s/"\$here"\/\*) die/"$here"\/none) die/
