# caught by: limits
s/^    cluster.sync();/    (void)cluster;/
s/^    if (cluster.block_rank() == 0 \&\& t == 0) {/    if (t == 0) {/
s/^            sum += .*/            sum = part;/
s/^        y\[r\] = sum;/        atomicAdd(\&y[r], sum);/
s/^    else$/    else {\n        CUDA_CHECK(cudaMemsetAsync(c->out, 0, c->dim[0] * 4, c->stream));/
s/^ *(int)c->dim\[1\]);$/&\n    }/
