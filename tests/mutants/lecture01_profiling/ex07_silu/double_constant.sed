# caught by: limits
s/x \/ (1.0f + expf(-x))/x \/ (1.0 + expf(-x))/
