# file: cpudevice/checker/check_host.c
# test: check_nested.sh
s/		check_nested_args(args, bytes);//
