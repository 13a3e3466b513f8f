# file: cpudevice/runtime/launch/launch.c
# test: cpudevice/tests/checker/findings.sh advice
s/ \&\& !l.result)/)/
