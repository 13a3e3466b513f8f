# excerpts.sh: which pieces of which lab the pictures replay; read by tools/pictures/pictures.sh.
excerpt first lecture01_profiling/first/program.cu double_them
excerpt gelu lecture01_profiling/gelu.cu chain gelu1 gelu_tanh gelu_kernel2
excerpt add lecture03_cuda_basics/add.cu add_kernel3 add_kernel4
excerpt square lecture03_cuda_basics/square_grid.cu square_kernel1 square_kernel2 square_kernel4
excerpt naive lecture03_cuda_basics/matmul_naive.cu matmul_kernel1 matmul_kernel2
excerpt counted cpudevice/tests/counters/kernels.cu copy_stride1 copy_stride2 copy_stride8 copy_offset1
excerpt tiled lecture05_shared_memory/matmul.cu matmul_kernel2
excerpt transpose lecture05_shared_memory/transpose.cu transpose_kernel1 transpose_kernel3 transpose_kernel4 transpose_kernel5
excerpt sums lecture05_shared_memory/reduction.cu sum_kernel1 sum_kernel2 warp_sum
excerpt stencil lecture05_shared_memory/stencil.cu at stencil_kernel2
excerpt softmax lecture05_shared_memory/softmax.cu pair
excerpt gemm7 lecture14_tiling/gemm/07_warp_tiles.cuh gemm_kernel7
excerpt order lecture14_tiling/gemm/tile_order.cuh tile_grouped
excerpt hilbert lecture14_tiling/hopper/tile_order.cuh hilbert_order
excerpt layouts lecture14_tiling/layouts.cu swizzle_128 plain_128 conflicts accumulator_place
excerpt ldmatrix lecture14_tiling/gemm/bf16_03_mma_sync.cuh gemm_bf16_kernel3
excerpt blocks lecture14_tiling/blocks.cu copy_kernel1 copy_kernel2 copy_kernel3
excerpt ring lecture14_tiling/hopper/03_ring.cuh hopper3_kernel
excerpt work lecture14_tiling/hopper/stream_k.cuh work
excerpt scan lecture05_shared_memory/scan.cu scan_kernel1
excerpt fused lecture14_tiling/attention/02_fused.cuh attention2_fetch attention_kernel2
excerpt turns lecture14_tiling/attention/05_ping_pong.cuh turns
excerpt norms lecture05_shared_memory/norms.cu norm_kernel2 exists statistics fetch_row result
excerpt norm3 lecture05_shared_memory/norms.cu row_in_registers
excerpt cross lecture05_shared_memory/cross_entropy.cu add
excerpt back lecture05_shared_memory/scan.cu look_back
