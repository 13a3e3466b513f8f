# file: cpudevice/libraries/nccl_group.c
# test: libraries.sh nccl_streams
s/!(e = cudaStreamWaitEvent(send->stream, event, 0))/true/
