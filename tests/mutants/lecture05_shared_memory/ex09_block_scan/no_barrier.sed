# caught by: check
/sums\[warp\] = v;/{n;d}
