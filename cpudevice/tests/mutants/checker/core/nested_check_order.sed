# file: cpudevice/checker/core/operation.c
# test: cpudevice/tests/checker/check_nested.sh nested/nested_two_blocks_launch
s/(o->d.nested_stream \&\&/(!o->d.tail \&\& o->d.nested_stream \&\&/
