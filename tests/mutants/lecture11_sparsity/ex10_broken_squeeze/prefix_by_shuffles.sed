# caught by: nothing
s/^        const int before = .*/        int before = v != 0;\n        for (int step = 1; step < 32; step *= 2) {\n            const int other = __shfl_up_sync(0xffffffffu, before, step);\n            before += lane >= step ? other : 0;\n        }\n        before -= v != 0;/
