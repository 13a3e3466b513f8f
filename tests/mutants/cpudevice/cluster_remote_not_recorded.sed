# file: cpudevice/checker/race/remote.c
# test: check_mistakes.sh
s/^    check_visit_put(w, t, a, bytes, flags, pc);//
