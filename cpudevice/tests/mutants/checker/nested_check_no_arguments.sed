# file: cpudevice/checker/memory/copies.c
# test: cpudevice/tests/checker/check_nested.sh
s/check_nested_args(args, bytes);//
