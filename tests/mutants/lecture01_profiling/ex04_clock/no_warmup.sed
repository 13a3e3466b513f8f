s/for (int i = 0; i < warmups; i++)/for (int i = 0; i < 0; i++)/
