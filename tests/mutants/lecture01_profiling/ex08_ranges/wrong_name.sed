s/profiler_record_function("store")/profiler_record_function("load")/
