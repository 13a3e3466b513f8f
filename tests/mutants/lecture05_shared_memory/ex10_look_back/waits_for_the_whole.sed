# caught by: limits
# right, but every tile waits until the one before it is done: a chain
s/^    tell(state, tile, tile == 0 ? WHOLE_SUM : OWN_SUM, own);$/    if (tile == 0)\n        tell(state, tile, WHOLE_SUM, own);/
s/== NOTHING/!= WHOLE_SUM/
