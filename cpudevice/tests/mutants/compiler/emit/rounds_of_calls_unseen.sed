# file: cpudevice/compiler/emit/print_rounds.c
# test: cpudevice/tests/checker/check_counters.sh 'requests of turns in each form'
s/!f->kernel && touches(u, f) &&/f->is_constexpr \&\&/
