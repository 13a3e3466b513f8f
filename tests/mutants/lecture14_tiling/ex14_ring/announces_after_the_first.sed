# caught by: check
s/^            mbarrier_wait(full + s \* 8, .*/            if (b < STAGES)\n                mbarrier_wait(full + s * 8, 0);/
