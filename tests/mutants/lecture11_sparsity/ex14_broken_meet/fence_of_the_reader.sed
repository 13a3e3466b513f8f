# caught by: check
/^            ;/,/^    }/s/__threadfence_system/__threadfence/
