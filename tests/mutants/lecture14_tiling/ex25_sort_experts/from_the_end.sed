# caught by: nothing
# a thread's last pair first
s/sum_of_all(smaller) + sum_before(mine);/sum_of_all(smaller) + sum_before(mine) + mine;/
/order\[to++\] = i;/s/order\[to++\] = i;/order[--to] = i;/
/^    int to = /,/<<< answer/s/for (int i = begin; i < end; i++)/for (int i = end - 1; i >= begin; i--)/
