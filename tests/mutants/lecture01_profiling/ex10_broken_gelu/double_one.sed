# caught by: limits
s/(1 + expf/(1.0 + expf/
