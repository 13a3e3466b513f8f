# file: tools/profiler/counters.sh
# test: tests/course/command_line files
s/--csv --log-file "$log"/--csv --log-file \/dev\/null/
