s/expf(-x)/expf(x)/
