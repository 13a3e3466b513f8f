# caught by: nothing
# tile 0 tells its sum as the others do, and then the same once more as the whole
s/tile == 0 ? WHOLE_SUM : OWN_SUM, own/OWN_SUM, own/
s/^    if (tile > 0)$//
s/^    tell(state, tile, tile/    tell(state, tile, tile/
