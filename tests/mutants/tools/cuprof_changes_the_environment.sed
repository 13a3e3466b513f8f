# file: tools/cuprof
# test: tests/profiler/profiler_cuprof
s/^CUPROF_HOME=/export LC_ALL=C\n&/
