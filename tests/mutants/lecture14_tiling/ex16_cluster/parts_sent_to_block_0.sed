# caught by: nothing
# each block stores its part in block 0's shared memory, which then needs nothing of the others
s/^    __shared__ float warps\[THREADS \/ 32\], part;/    __shared__ float warps[THREADS \/ 32], part, parts[BLOCKS];/
s/^    if (cluster.block_rank() == 0 \&\& t == 0) {/    if (t == 0)\n        *cluster.map_shared_rank(\&parts[cluster.block_rank()], 0) = part;\n    cluster.sync();\n&/
s/^            sum += .*$/            sum += parts[b];/
/^        y\[r\] = sum;/,/^    \/\/ <<< answer/{
/cluster.sync/d
}
