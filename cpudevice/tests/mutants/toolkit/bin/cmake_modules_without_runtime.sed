# file: cpudevice/toolkit/bin/link-program
# test: cpudevice/tests/toolkit/cmake.sh 'a program that CMake links with libcuda loads a module'
s/set -- -rdynamic -Wl,-u,cudaFree "$word"/set --/
