# file: cpudevice/compiler/emit/print_rounds.c
# test: cpudevice/tests/checker/check_counters.sh 'requests of turns in each form'
s/f->is_constexpr && u->old_constexpr/f->is_constexpr/
