# caught by: nothing
s/return x \/ (1.0f + expf(-x));/return __fdividef(x, 1.0f + __expf(-x));/
