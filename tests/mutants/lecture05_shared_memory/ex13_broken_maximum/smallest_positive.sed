s/float v = -FLT_MAX/float v = FLT_MIN/
