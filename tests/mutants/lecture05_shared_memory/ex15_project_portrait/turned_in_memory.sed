# caught by: limits
# each thread writes its own pixel, so neighbouring lanes write into different rows
s/^        turned\[tx\]\[row\] = \(.*\);$/        if (x0 + tx < width \&\& y0 + row < height)\n            out[(size_t)(x0 + tx) * height + (height - 1 - (y0 + row))] = \1;\n        turned[tx][row] = 0;/
s/^        if (x0 + row < width && y0 + tx < height)$/        if (false)/
