# file: cpudevice/runtime/graph/conditional.c
# test: graph_conditional
s/    c->again = body \&\& .*/    c->again = false;/
