# caught by: nothing
s/^        float sum = 0;$/        float sum = 0;\n        uint32_t turn = 0;/
s/full + s \* 8, b \/ STAGES % 2/full + s * 8, turn/
s/^            mbarrier_arrive(empty + s \* 8);/&\n            turn ^= s == STAGES - 1;/
