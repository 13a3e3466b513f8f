# file: cpudevice/checker/memory/bounds.c
# test: cpudevice/tests/checker/findings.sh advice
s/const bool wraps =.*/const bool wraps = false;/
