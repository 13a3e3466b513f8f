# caught by: check
/^            tma_store_commit();$/d
