# caught by: nothing
s/^        theirs\[blockIdx.x\] = when;/        atomicExch_system((unsigned *)\&theirs[blockIdx.x], when);/
