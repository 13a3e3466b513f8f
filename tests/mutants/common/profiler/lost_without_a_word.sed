# file: common/profiler/profiler_store.c
# test: tests/profiler/profiler_core
/atomic_fetch_add(store.header/d
