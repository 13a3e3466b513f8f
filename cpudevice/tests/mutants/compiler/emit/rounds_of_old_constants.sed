# file: cpudevice/compiler/emit/print_rounds.c
# test: cpudevice/tests/checker/check_counters.sh 'a function of constants of C++11 is one'
s/f->is_constexpr && u->old_constexpr/0/
