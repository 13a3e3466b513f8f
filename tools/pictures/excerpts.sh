# excerpts.sh: which pieces of which lab the pictures replay; read by tools/pictures.sh.
excerpt first lecture01_profiling/first/program.cu double_them
excerpt gelu lecture01_profiling/gelu.cu chain gelu1 gelu_tanh gelu_kernel2
excerpt add lecture03_cuda_basics/add.cu add_kernel3 add_kernel4
excerpt square lecture03_cuda_basics/square_grid.cu square_kernel1 square_kernel2 square_kernel4
excerpt naive lecture03_cuda_basics/matmul_naive.cu matmul_kernel1 matmul_kernel2
excerpt counted tests/counters/kernels.cu copy_stride1 copy_stride2 copy_stride8 copy_offset1
