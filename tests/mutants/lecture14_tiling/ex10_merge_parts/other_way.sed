# caught by: nothing
# one pass: what was summed is corrected when the maximum grows
/^    for (int p = 0; p < parts; p++)$/,/^        largest = fmaxf/d
s/^        const float scale = expf.*$/        if (max[p] == -INFINITY)\n            continue;\n        const float larger = fmaxf(largest, max[p]), scale = expf(max[p] - larger), old = expf(largest - larger);\n        largest = larger;\n        total *= old;\n        column *= old;/
