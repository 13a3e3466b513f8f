// dump regions
namespace cg = cooperative_groups;
__global__ void k(int *p)
{
    cg::thread_block block = cg::this_thread_block();
    __shared__ int s[64];
    s[block.thread_rank()] = 1;
    block.sync();
    cg::sync(block);
    p[threadIdx.x] = s[0];
}
__global__ void tiles(int *p)
{
    auto tile = cg::tiled_partition<4>(cg::this_thread_block());
    tile.sync();
    __syncthreads();
    p[threadIdx.x] = 1;
}
