# file: cpudevice/compiler/emit/print_rounds.c
# test: cpudevice/tests/checker/check_counters.sh rounds
s/W_DO,    W_IF, /W_DO,/
