# file: cpudevice/compiler/print_guarded.c
# test: conformance/loops/exchange/returns
s/leaves ? "!" : ""/leaves ? "" : ""/
