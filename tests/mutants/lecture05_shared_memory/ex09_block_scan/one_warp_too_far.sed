s/warp > 0 ? warp - 1 : 0/warp/
