# file: cpudevice/compiler/emit/print_shared.c
# test: conformance/check/shared/named_in_local_classes
s/(lambda_brace(t, b, \&head) || class_brace(t, b, \&head))/lambda_brace(t, b, \&head)/
