# file: cpudevice/src/lexer.c
# test: cpudevice_core
s/if (is_call(i) \&\& (!pure/if (is(next(i), "(") \&\& (!pure/
