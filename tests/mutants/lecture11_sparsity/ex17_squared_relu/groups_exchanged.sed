# the first group's places in the upper half of the byte
s/both |= place << 4 \* group;/both |= place << 4 * (1 - group);/
