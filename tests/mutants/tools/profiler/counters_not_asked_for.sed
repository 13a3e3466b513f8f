# file: tools/profiler/counters.sh
# test: tests/course/command_line
s/--csv --log-file "$log"/--csv --log-file \/dev\/null/
