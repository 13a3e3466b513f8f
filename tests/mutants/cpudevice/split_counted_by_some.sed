# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/    return v \&\& v->what == V_COUNTER ? i : -1;/    return -1;/
