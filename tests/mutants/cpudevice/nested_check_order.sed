# file: cpudevice/checker/check_host.c
# test: check_nested.sh
s/	return o->parent->events || (o->d.nested_stream/	return o->parent->events || (!o->d.tail \&\& o->d.nested_stream/
