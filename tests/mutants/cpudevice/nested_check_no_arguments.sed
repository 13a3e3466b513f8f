# file: cpudevice/checker/memory/copies.c
# test: check_nested.sh
s/check_nested_args(args, bytes);//
