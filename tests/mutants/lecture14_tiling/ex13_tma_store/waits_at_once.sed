# caught by: nothing
/^        if (tx == 0 && ty == 0)$/,/tma_store_wait_read<0>();$/d
s/^            tma_store_commit();$/&\
            tma_store_wait_read<0>();/
