# caught by: nothing
s/^    cp_async_wait<0>();$/    cp_async_wait<1>();\n&/
