# file: cpudevice/checker/core/operation.c
# test: cpudevice/tests/checker/check_nested.sh
s/(o->d.nested_stream \&\&/(!o->d.tail \&\& o->d.nested_stream \&\&/
