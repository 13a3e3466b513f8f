# file: common/profiler_trace.c
# test: profiler_core
s/if (\*p == '<')/if (*p == 0)/
