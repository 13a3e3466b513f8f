# caught by: nothing
# eight subtractions of one number each
s/^        two\[j\] = difference(.*$/        for (int h = 0; h < 2; h++) {\n            const unsigned short code = 0x4300 | (word >> (4 * j + 16 * h) \& 15), none = (unsigned short)bias;\n            const __nv_bfloat16 d = __hsub(__ushort_as_bfloat16(code), __ushort_as_bfloat16(none));\n            two[j] = (h ? two[j] : 0) | (unsigned)__bfloat16_as_ushort(d) << 16 * h;\n        }/
