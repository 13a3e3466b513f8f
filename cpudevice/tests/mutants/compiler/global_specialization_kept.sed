# file: cpudevice/compiler/emit/print_words.c
# test: cpudevice/tests/conformance/conformance_test
s/t->t\[global\].drop = true/t->t[global].drop = false/
