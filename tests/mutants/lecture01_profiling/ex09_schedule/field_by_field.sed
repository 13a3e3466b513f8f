# caught by: nothing
/profiler_schedule(3/c\
    options.schedule.wait = 3;\
    options.schedule.warmup = 1;\
    options.schedule.active = 2;\
    options.schedule.repeat = 1;
