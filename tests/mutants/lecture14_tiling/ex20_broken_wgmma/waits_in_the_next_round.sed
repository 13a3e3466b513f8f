# caught by: nothing
s/^        wgmma_wait<0>();/        if (k >= 0)\n            wgmma_wait<0>();/
