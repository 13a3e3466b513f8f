# file: cpudevice/checker/memory/other.c
# test: cpudevice/tests/checker/check_mistakes.sh host/constant_overwritten
/^            constant_read(w, a, bytes, flags, pc);/s/.*/            ;/
