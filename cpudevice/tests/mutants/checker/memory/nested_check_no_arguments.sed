# file: cpudevice/checker/memory/copies.c
# test: cpudevice/tests/checker/check_launches.sh nested/nested_local_pointer
s/check_nested_args(args, bytes);//
