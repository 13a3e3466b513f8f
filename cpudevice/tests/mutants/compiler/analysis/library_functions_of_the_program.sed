# file: cpudevice/compiler/analysis/reject.c
# test: cpudevice/tests/compiler/compiler_test rejects legal_library_names
s/named_in(t, names, name) \&\& !has_name(u, t, name, N_FUNCTION) \&\&/named_in(t, names, name) \&\&/
