# closes a group only where there is something in it, so the last tile is not waited for
/if (t + 1 < tiles)/{
N
N
s/if (t + 1 < tiles)\(.*\)copy_tile(t + 1);\(.*\)cp_async_commit();/if (t + 1 < tiles) {\1copy_tile(t + 1); cp_async_commit(); }/
}
