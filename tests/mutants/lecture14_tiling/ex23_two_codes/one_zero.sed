s/ | zero | zero << 16/ | zero/
