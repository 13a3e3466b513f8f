# file: cpudevice/runtime/stream/stream_capture.c
# test: cpudevice/tests/runtime/graphs
/^    s->capture_given = true;/,/^}/s/list, (int)ndeps/list, 0/
