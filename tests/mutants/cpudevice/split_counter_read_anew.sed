# file: cpudevice/src/lexer.c
# test: cpudevice_split.sh
s/v->what != (threads ? V_AGAIN : V_COUNTER))/v->what != V_COUNTER \&\& !(threads \&\& v->what == V_AGAIN))/
