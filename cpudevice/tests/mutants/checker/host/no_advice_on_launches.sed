# file: cpudevice/checker/host/errors.c
# test: cpudevice/tests/checker/findings.sh advice
s/const char \*advice = of_launches\[cpudev_api.reason\];/const char *advice = of_launches[CPUDEV_WHY_OTHER];/
