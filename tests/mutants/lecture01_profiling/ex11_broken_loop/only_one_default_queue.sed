# caught by: nothing
# the default stream for both: in order, and the lab's copy waits for it
s/, 256, 0, stream>>>/, 256>>>/
