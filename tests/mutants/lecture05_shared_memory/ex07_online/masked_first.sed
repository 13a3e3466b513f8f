s|else if (x != -INFINITY)|else|
