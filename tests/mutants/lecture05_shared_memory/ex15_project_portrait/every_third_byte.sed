# caught by: limits
# the blur's kernel takes the pixels from the camera's bytes: each lane reads every third
s/const unsigned char \*grey, const unsigned \*range, float \*out, int width/const unsigned char *rgb, const unsigned *range, float *out, int width/
s/^            pixel\[row\]\[column\] = grey\[\(.*\)\];$/        {\n            const unsigned char *p = rgb + 3 * (\1);\n            pixel[row][column] = (unsigned char)grey_of(p[0], p[1], p[2]);\n        }/
s/stream>>>(grey, range, out, width, height);/stream>>>(rgb, range, out, width, height);/
