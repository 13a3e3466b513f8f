# lets tile t itself be under way
s/cp_async_wait<1>();/cp_async_wait<2>();/
