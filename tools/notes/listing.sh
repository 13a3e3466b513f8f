#!/bin/sh
# listing.sh [--loop OPCODE] [--fold] ptx|sass FILE.cu [KERNEL...]: the PTX or the machine code (SASS) that nvcc makes of a file's
# kernels, each instruction with what it does, under the source line that it comes from; all kernels, or those that are named. The
# architecture is $ARCH, else the GPU's own, else sm_90a.
#   --loop OPCODE   only the loop in which most instructions are that one
#   --fold          a run of one instruction is shown by its first two and its last
# It takes nvcc, and for SASS nvdisasm: the toolkit's, Triton's own (make python), or tools/setup/need.sh nvdisasm gets it.
exec "$(dirname "$0")/../course.sh" listing "$@"
