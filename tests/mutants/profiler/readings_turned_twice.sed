# file: common/profiler/profiler_source.c
# test: profiler_core
s/c->in_ns = 1;/c->in_ns = 0;/
