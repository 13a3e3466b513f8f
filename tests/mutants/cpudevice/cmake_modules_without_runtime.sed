# file: cpudevice/toolkit/bin/link-program
# test: cmake.sh
s/set -- -rdynamic -Wl,-u,cudaFree "$word"/set --/
