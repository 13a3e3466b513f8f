# caught by: nothing
/record_function("load")/,/record_function("store")/c\
    profiler_record_function("work")\
    {\
        profiler_record_function("load") { load(x); }\
        profiler_record_function("compute") { compute(x); }\
        profiler_record_function("store") { store(x); }\
    }
