# file: lecture14_tiling/block/elements.cuh
# test: lecture14_tiling/block 1
s/\*slope = s + x \* s/*slope = s + 0 * s/
