# the sum of squares begins anew with each tile of K
s/^    for (int k0 = 0; k0 < K; k0 += TILE) {$/&\n        for (int i = 0; i < EACH; i++)\n            squares[i] = 0;/
