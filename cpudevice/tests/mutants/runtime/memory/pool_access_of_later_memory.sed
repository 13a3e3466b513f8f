# file: cpudevice/runtime/memory/pool.c
# test: cpudevice/tests/checker/check_mistakes.sh devices/devices_pool_access
s/    memory_pool_access(pool, readers_of(pool));//
