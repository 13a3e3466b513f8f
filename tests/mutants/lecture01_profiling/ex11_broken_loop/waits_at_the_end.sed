# caught by: nothing
# in the last turn alone
s/^        one_more_kernel<<<.*$/&\n        if (turn == TURNS - 1)\n            CUDA_CHECK(cudaStreamSynchronize(stream));/
