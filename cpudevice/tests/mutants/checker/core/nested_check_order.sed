# file: cpudevice/checker/core/operation.c
# test: cpudevice/tests/checker/check_launches.sh nested/nested_two_blocks_launch
s/(o->d.nested_stream \&\&/(!o->d.tail \&\& o->d.nested_stream \&\&/
