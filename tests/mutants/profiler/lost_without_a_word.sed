# file: common/profiler/profiler_store.c
# test: profiler_core
/atomic_fetch_add(store.header/d
