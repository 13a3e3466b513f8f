# file: cpudevice/checker/race/remote.c
# test: cpudevice/tests/checker/check_mistakes.sh
s/^    check_visit_put(w, t, a, bytes, flags, pc);//
