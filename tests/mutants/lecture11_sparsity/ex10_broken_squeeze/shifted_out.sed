# caught by: nothing
s/__popc(full & ((1u << lane) - 1))/__popc(full << (31 - lane) << 1)/
