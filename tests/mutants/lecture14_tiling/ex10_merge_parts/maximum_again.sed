# caught by: limits
# the largest maximum is looked for once more for every part
s/^        const float scale = expf.*$/        float again = -INFINITY;\n        for (int i = 0; i < parts; i++)\n            again = fmaxf(again, max[i]);\n        const float scale = expf(max[p] - again);/
