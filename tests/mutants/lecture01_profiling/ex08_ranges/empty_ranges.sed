s/^    profiler_record_function("load") {/    load(x), compute(x), store(x);\
&/
s/{ [a-z]*(x); }$/{ (void)x; }/
