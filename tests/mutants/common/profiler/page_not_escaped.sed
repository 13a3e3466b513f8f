# file: common/profiler/profiler_writer.c
# test: tests/profiler/profiler_core
s/if (\*p == '<')/if (*p == 0)/
