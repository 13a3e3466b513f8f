s/ - (c == right ? 1.0f : 0.0f)//
