s|p.sum \* expf(p.max - x) + 1|p.sum + 1|
