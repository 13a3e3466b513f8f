# file: lecture05_shared_memory/norms/sent_sums.cuh
# test: lecture05_shared_memory/norms
s/wait_for_sent(&landed.turn., .*;/(void)turn;/
