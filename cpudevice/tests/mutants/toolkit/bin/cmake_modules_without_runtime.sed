# file: cpudevice/toolkit/bin/link-program
# test: cpudevice/tests/toolkit/cmake.sh
s/set -- -rdynamic -Wl,-u,cudaFree "$word"/set --/
