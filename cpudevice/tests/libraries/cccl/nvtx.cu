// SKIPS: CCCL is not here
// TEST: nvtx
// RUN: needs_cccl && $cucc -O1 -o $exe $case && $exe
/* CCCL's own C++ interface of NVTX on the header of NVTX that cucc brings, as on a machine with no CUDA toolkit (where another
 * nvtx3.hpp would be found first): domains, ranges, marks and registered strings compile and return. */
#include <cub/detail/nvtx3.hpp>

struct course {
    static constexpr char const *name = "course";
};
struct text {
    static constexpr char const *message = "a registered text";
};

int main()
{
    nvtx3::v1::scoped_range_in<course> range{
        nvtx3::v1::event_attributes{nvtx3::v1::registered_string_in<course>::get<text>(), nvtx3::v1::payload{3}}};
    nvtx3::v1::mark_in<course>("mark", nvtx3::v1::rgb{1, 2, 3});
    nvtxDomainHandle_t domain = nvtxDomainCreateA("another");
    int pushed = nvtxRangePushA("range"), popped = nvtxRangePop();
    nvtxDomainDestroy(domain);
    return pushed != NVTX_NO_PUSH_POP_TRACKING || popped != NVTX_NO_PUSH_POP_TRACKING;
}
