#include "analysis/parts/ops.h"

#include <stddef.h>

const char *const ops_names[] = {[OPS_ALL] = "all", [OPS_LOADS] = "loads", NULL};
