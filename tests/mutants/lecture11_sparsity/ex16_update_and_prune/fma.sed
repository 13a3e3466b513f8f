# caught by: nothing
# the update by fmaf, and the two values one after the other
s/{w.x - rate \* d.x, w.y - rate \* d.y, w.z - rate \* d.z, w.w - rate \* d.w}/{fmaf(-rate, d.x, w.x), fmaf(-rate, d.y, w.y), fmaf(-rate, d.z, w.z), fmaf(-rate, d.w, w.w)}/
