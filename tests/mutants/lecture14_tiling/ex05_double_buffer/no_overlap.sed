# caught by: limits
s/cp_async_wait<1>();/cp_async_wait<0>();/
