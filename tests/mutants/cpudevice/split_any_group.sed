# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/^    return is(i, "this_thread_block") \&\&.*/    return is(i, "this_thread_block") ? next(next(i)) : -1;/
