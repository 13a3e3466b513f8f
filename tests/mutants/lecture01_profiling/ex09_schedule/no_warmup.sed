s/profiler_schedule(3, 1, 2, 1, 0)/profiler_schedule(4, 0, 2, 1, 0)/
