# file: common/profiler/profiler_trace.c
# test: profiler_core
s/uint64_t flow = ++t->arrows;/uint64_t flow = e->correlation;/
