# file: cpudevice/runtime/launch/pending.c
# test: conformance/loops/launches/host_function_launched
s/of_host\[--nof_host\]/(--nof_host, of_host[0])/
