# caught by: check
/^    wgmma_wait<0>();$/d
