s/bias = 0x43004300u | zero/bias = zero/
