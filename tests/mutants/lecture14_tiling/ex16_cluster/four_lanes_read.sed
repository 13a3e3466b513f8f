# caught by: nothing
s/^    if (cluster.block_rank() == 0 \&\& t == 0) {/    if (cluster.block_rank() == 0 \&\& t < 32) {/
s/^        for (int b = 0; b < BLOCKS; b++)$/        if (t < BLOCKS)/
s/^            sum += .*/            sum = *cluster.map_shared_rank(\&part, t);\n        for (int step = 2; step > 0; step \/= 2)\n            sum += __shfl_xor_sync(0xffffffffu, sum, step);/
s/^        y\[r\] = sum;/        if (t == 0)\n            y[r] = sum;/
