# file: cpudevice/compiler/emit/hiding.c
# test: conformance/check/shared/hidden_in_closures
s/(j <= i \&\& block < i \&\& i < mate(t, block))/true/
