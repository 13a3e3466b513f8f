# caught by: check
s/^    wgmma_wait<0>();/    wgmma_wait<1>();/
