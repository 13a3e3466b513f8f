# file: common/profiler/profiler_cupti_records.c
# test: tests/profiler/profiler_cupti.sh
# the driver's queries too, which the runtime makes
/^static int is_work/,/^}/s/return 0/return 1/
