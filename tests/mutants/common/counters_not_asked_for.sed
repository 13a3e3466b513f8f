# file: tools/counters.sh
# test: command_line_test.sh
s/--csv --log-file "$log"/--csv --log-file \/dev\/null/
