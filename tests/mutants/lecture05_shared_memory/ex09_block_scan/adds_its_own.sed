# the lowest lanes get their own value back, and add it
s/        if (lane >= step)$//
