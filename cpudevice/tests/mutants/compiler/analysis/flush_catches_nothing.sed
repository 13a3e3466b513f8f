# file: cpudevice/compiler/analysis/flush.c
# test: cpudevice/tests/arithmetic/ftz.sh 'a lambda of the device that may catch a double of the host'
s/if (found < 0 \&\& body \&\& (contains/if (false \&\& (contains/
