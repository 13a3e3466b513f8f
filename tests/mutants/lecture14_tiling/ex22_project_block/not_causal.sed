s/n + lane <= first + i ? score/n + lane < S ? score/
s/n < block + WARPS \* QUERIES && n < S/n < S/
