# file: common/profiler/profiler_trace.c
# test: tests/profiler/profiler_core
s/uint64_t flow = ++t->arrows;/uint64_t flow = e->correlation;/
