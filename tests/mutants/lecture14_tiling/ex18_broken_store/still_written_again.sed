# caught by: check
s/tma_store_wait_read<1>/tma_store_wait_read<2>/
