# caught by: limits
# a second wait, for all: nothing is under way while the tile is multiplied
s/cp_async_wait<1>();/cp_async_wait<1>(), cp_async_wait<0>();/
