# caught by: limits
# right, but nobody tells a whole sum: each tile reads those of all tiles before it
s/tile == 0 ? WHOLE_SUM : OWN_SUM, own/OWN_SUM, own/
/^    if (tile > 0)$/d
/^        tell(state, tile, WHOLE_SUM, before + own);$/d
