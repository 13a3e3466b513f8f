# file: cpudevice/compiler/emit/print_rounds.c
# test: cpudevice/tests/checker/check_counters.sh turns
s/f->is_constexpr && u->old_constexpr/f->is_constexpr/
