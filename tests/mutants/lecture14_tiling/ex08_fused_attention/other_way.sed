# caught by: nothing
# two cases instead of one formula
s/^        const float larger = .*$/        float scale = 1, weight = 1;\n        if (score > max) {\n            scale = expf(max - score);\n            max = score;\n        } else\n            weight = expf(score - max);/
s/^        max = larger;$//
