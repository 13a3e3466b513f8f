# caught by: check
s/^    cp_async_wait<0>();$/    if (lane == 0)\n        cp_async_wait<0>();/
