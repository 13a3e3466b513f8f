# file: cpudevice/runtime/graph/capture.c
# test: cpudevice/tests/runtime/graphs
# Any capture under way is taken for the one of an event.
s/s->capture->capture_id == capture/capture/
