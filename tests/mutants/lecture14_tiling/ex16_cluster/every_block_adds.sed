# caught by: limits
s/cluster.block_rank() == 0 \&\& t == 0/t == 0/
