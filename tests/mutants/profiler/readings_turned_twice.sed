# file: common/profiler_store.c
# test: profiler_core
s/c->in_ns = 1;/c->in_ns = 0;/
