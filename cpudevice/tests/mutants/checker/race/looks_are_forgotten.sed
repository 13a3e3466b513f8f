# file: cpudevice/checker/race/judge.c
# test: cpudevice/tests/checker/litmus
s/ || w->strong.looked.clock;/;/
