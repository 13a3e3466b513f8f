# file: cpudevice/checker/host/errors.c
# test: cpudevice/tests/checker/findings.sh advice
s/const char \*advice = advice_on_launch();/const char *advice = advice_on_launch() ? NULL : NULL;/
