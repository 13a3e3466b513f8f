# caught by: check
0,/^        wgmma_wait<0>();/{/^        wgmma_wait<0>();/d
}
