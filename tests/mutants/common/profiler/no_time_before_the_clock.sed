# file: common/profiler/profiler_source.c
# test: tests/profiler/profiler_core
s/(__int128)(int64_t)(reading - c->ticks)/(__int128)(reading - c->ticks)/
