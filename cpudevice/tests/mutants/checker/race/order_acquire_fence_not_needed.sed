# file: cpudevice/checker/race/release.c
# test: cpudevice/tests/checker/litmus
s/check_clock \*\*to = s->acquires ? \&me->known/check_clock **to = 1 ? \&me->known/
