# file: cpudevice/checker/race/release.c
# test: cpudevice/tests/checker/check_mistakes.sh right/flag_other_kernel
s/if (f->chain \&\& f->op != w->op->id)$/if (f->op != w->op->id)\n        return;\n    if (0)/
