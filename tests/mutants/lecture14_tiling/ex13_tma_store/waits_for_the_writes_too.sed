# caught by: nothing
/^        if (tx == 0 && ty == 0)$/,/__syncthreads/s/tma_store_wait_read<0>/tma_store_wait<0>/
