s/{ compute(x); }$/{ compute(x), store(x); }/; s/{ store(x); }$/{ (void)x; }/
