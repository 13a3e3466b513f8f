# file: cpudevice/src/lexer.c
# test: check_loops.sh
s/if ((check_mode || may_wait) && (loops/if (may_wait \&\& (loops/
