# caught by: nothing
/^        As\[ak + 0\]/,/^        As\[ak + 3\]/c\
        const float four[4] = {v.x, v.y, v.z, v.w};\
        for (int i = 0; i < 4; i++)\
            As[ak + i][am] = four[i];
