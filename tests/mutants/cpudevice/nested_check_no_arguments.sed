# file: cpudevice/checker/copies.c
# test: check_nested.sh
s/check_nested_args(args, bytes);//
