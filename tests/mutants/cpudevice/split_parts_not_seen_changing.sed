# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/^        while (is(n, "\.") \&\& ident(next(n))) .*/        while (false)/
