# file: cpudevice/src/lexer.c
# test: check_loops.sh
s/if (check_mode && (loops ||/if (0 \&\& (loops ||/
