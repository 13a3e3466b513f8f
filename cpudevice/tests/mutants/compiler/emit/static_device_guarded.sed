# file: cpudevice/compiler/emit/print_words.c
# test: conformance/check/memory/static_in_functions
s/statement_block(t, i) < 0 ? "__device__" : NULL/"__device__"/
