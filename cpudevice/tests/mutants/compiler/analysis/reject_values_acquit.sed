# file: cpudevice/compiler/analysis/reject_names.c
# test: cpudevice/tests/compiler/compiler_test rejects host_variable
s|const int p = prev(t, i);|const int p = i;|
