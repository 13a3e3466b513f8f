# file: cpudevice/src/lexer.c
# test: check_bulk.sh
s/if (changed_in(name, body, e) || /if (/
