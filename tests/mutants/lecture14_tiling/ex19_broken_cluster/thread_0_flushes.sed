# caught by: limits
s/^    atomicAdd(&count\[half.*/    for (int bin = 0; t == 0 \&\& bin < BINS \/ 2; bin++)\n        atomicAdd(\&count[half * (BINS \/ 2) + bin], mine[bin]);/
