# file: cpudevice/compiler/emit/print_guarded.c
# test: conformance/loops/exchange/returns
s/leaves ? "!" : ""/leaves ? "" : ""/
