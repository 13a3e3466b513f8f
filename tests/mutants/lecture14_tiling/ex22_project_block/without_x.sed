s/product(a, b->wo, b->x, y/product(a, b->wo, NULL, y/
