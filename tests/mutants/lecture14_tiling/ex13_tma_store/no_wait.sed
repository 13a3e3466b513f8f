# caught by: check
s/^            tma_store_wait_read<0>();/            (void)0;/
