# caught by: nothing
# the first boxes find empty buffers
s/^            mbarrier_wait(empty + s \* 8, (b \/ STAGES + 1) % 2);/            if (b >= STAGES)\n                mbarrier_wait(empty + s * 8, (b \/ STAGES - 1) % 2);/
