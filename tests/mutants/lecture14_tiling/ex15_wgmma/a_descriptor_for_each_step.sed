# caught by: nothing
# the address moves on, and the descriptor is made from it
s/^        Wgmma<Bf16, SIDE>::run(sum, .*$/        Wgmma<Bf16, SIDE>::run(sum, wgmma_descriptor(shared_address(a) + 32 * step, 128),\n                               wgmma_descriptor(shared_address(b) + 32 * step, 128), step > 0);/
s/^    wgmma_fence();$/    (void)da, (void)db;\n&/
