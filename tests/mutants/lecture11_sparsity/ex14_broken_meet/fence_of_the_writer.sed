# caught by: check
/^        __threadfence_system();/{
N
N
s/__threadfence_system();\(.*theirs\)/__threadfence();\1/
}
