# caught by: nothing
/record_function("load")/,/record_function("store")/c\
    profiler_record_function_begin("load"), load(x), profiler_record_function_end();\
    profiler_record_function_begin("compute"), compute(x), profiler_record_function_end();\
    profiler_record_function_begin("store"), store(x), profiler_record_function_end();
