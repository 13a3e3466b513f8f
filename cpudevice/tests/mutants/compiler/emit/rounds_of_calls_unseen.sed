# file: cpudevice/compiler/emit/print_rounds.c
# test: cpudevice/tests/checker/check_counters.sh turns
s/!f->kernel && touches(u, f) &&/f->is_constexpr \&\&/
