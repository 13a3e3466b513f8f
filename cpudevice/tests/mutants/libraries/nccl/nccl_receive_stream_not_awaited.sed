# file: cpudevice/libraries/nccl/nccl_group.c
# test: cpudevice/tests/libraries/libraries.sh nccl_streams
s/!(e = cudaStreamWaitEvent(send->stream, event, 0))/true/
