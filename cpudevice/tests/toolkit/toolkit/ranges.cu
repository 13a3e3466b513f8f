// NVIDIA's NVTX among the system's headers: who includes its nvtx3.hpp, as CCCL does, and ours gets one NVTX.
// TEST: the system's NVTX: nvtx3/nvtx3.hpp nvToolsExt.h
// RUN: CPLUS_INCLUDE_PATH=$folder/system $toolkit/bin/nvcc -DHPP_FIRST -o $work/hpp $case
// TEST: and it is that one (hpp)
// RUN: $work/hpp
// TEST: the system's NVTX: nvtx3/nvToolsExt.h nvtx3/nvtx3.hpp
// RUN: CPLUS_INCLUDE_PATH=$folder/system $toolkit/bin/nvcc -o $work/header $case
// TEST: and it is that one (header)
// RUN: $work/header
#ifdef HPP_FIRST
#include <nvtx3/nvtx3.hpp>
#include <nvToolsExt.h>
#else
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>
#endif
int main() { return nvtxRangePushA("one") != 41 || NVTX_COLOR_UNKNOWN; }
