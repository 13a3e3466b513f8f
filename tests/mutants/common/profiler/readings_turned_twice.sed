# file: common/profiler/profiler_source.c
# test: tests/profiler/profiler_core
s/c->in_ns = 1;/c->in_ns = 0;/
