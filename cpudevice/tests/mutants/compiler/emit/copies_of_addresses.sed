# file: cpudevice/compiler/emit/print_copies.c
# test: conformance/check/operators/operator_and_address
s/ || n->oper == OP_ADDRESS//
