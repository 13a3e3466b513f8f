# caught by: nothing
s/profiler_schedule(3, 1, 2, 1, 0)/profiler_schedule(0, 1, 2, 1, 3)/
