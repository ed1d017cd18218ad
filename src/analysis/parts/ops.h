/* Which global and local accesses count: a parameter of several analyses. */
#ifndef WS_ANALYSIS_PARTS_OPS_H
#define WS_ANALYSIS_PARTS_OPS_H

enum ops { OPS_ALL, OPS_LOADS };
extern const char *const ops_names[]; /* NULL-terminated */

#endif
