# caught by: nothing
s/x \/ (1.0f + expf(-x))/x * (1.0f \/ (1.0f + __expf(-x)))/
