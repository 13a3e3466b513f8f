# chooses by the magnitude of the sums: a large negative one takes the place of a positive one, and becomes zero
s/^        const unsigned place = two_of_four(y);/        float magnitude[4];\
        for (int i = 0; i < 4; i++)\
            magnitude[i] = fabsf(__uint_as_float(i % 2 ? word[2 * group + i \/ 2] \& 0xffff0000 : word[2 * group + i \/ 2] << 16));\
        const unsigned place = two_of_four(magnitude);/
