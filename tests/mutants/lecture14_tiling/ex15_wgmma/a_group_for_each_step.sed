# caught by: nothing
s/^    for (int step = 0; step < 4; step++)$/    for (int step = 0; step < 4; step++) {/
s/^        Wgmma.*/&\n        wgmma_commit();\n    }/
/^    wgmma_commit();$/d
