# file: cpudevice/compiler/emit/print_words.c
# test: conformance/loops/templates/global_specialization
s/t->t\[global\].drop = true/t->t[global].drop = false/
