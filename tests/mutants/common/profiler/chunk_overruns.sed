# file: common/profiler/profiler_store.c
# test: tests/profiler/profiler_core
s/if (n < PROF_CHUNK_EVENTS)/if (n <= PROF_CHUNK_EVENTS)/
