/* cusparse_v2.h: another name. */
#include "cusparse.h"
