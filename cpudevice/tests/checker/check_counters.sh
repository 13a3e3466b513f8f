#!/bin/sh
# The CPU device's counters must stay what they were when they were laid beside Nsight Compute's on a GPU
# (cpudevice/tests/records/h200/counters.csv), kernel by kernel: the cases of cpudevice/tests/counters.
exec sh "$(dirname "$0")/../harness/cases.sh" counters "$@"
