# file: cpudevice/compiler/analysis/reject.c
# test: cpudevice/tests/compiler/compiler_test rejects complex
s/|| t->t\[i\].header)/|| t->t[i].ours)/
