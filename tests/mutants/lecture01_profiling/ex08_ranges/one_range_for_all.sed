s/{ load(x); }$/{ load(x), compute(x), store(x); }/
s/{ compute(x); }$/{ (void)x; }/
s/{ store(x); }$/{ (void)x; }/
