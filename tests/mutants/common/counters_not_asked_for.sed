# file: tools/counters.sh
# test: command_line
s/--csv --log-file "$log"/--csv --log-file \/dev\/null/
