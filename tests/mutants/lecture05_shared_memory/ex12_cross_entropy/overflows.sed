s/p.max + logf(p.sum) - x\[right\]/logf(p.sum * expf(p.max)) - x[right]/
