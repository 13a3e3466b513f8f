# caught by: check
s/^        if (kind_of(word) == WHOLE_SUM)$/        if (kind_of(word) != NOTHING)/
s/tile == 0 ? WHOLE_SUM : OWN_SUM, own/WHOLE_SUM, own/
