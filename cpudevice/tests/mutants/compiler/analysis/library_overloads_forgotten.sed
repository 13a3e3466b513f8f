# file: cpudevice/compiler/analysis/reject.c
# test: cpudevice/tests/compiler/compiler_test rejects legal_library_names
s/return found \&\& !library_declares(r->t, i);/return found;/
