# file: common/profiler/profiler_writer.c
# test: profiler_core
s/if (\*p == '<')/if (*p == 0)/
