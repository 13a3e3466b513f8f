# file: common/profiler/profiler_store.c
# test: tests/profiler/profiler_core
s/store.header->clock = clock;/store.header->clock.rate = 0;/
