# caught by: nothing
# no empty group: the last round has nothing behind it, and waits for all
/^        if (t + 1 < tiles)$/,/^        cp_async_wait<1>();$/c\
        if (t + 1 < tiles) {\
            copy_tile(t + 1);\
            cp_async_commit();\
            cp_async_wait<1>();\
        } else {\
            cp_async_wait<0>();\
        }
