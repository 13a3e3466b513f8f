# caught by: limits
# a thread takes four neighbours: right, and each load of a warp touches four times the sectors
s/int c = e \* THREADS + t;/int c = t * EACH + e;/
