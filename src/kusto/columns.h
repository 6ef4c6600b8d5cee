/* Which columns a pipeline leaves, and the first name that is none. For the guard. */
#ifndef KT_KUSTO_COLUMNS_H
#define KT_KUSTO_COLUMNS_H

#include "kusto/guard.h"
#include "kusto/tree.h"

/* Follows the steps, starting from PLAN's columns, and leaves the result there. */
void kt_columns_follow(struct kt_guard_plan *plan, const struct kt_kql *steps);

/* The pipeline limits what it reads or gives: a comparison over a column of type
 * datetime, take, top, count, or a summarize without groups. */
bool kt_columns_limited(const struct kt_guard_plan *plan, const struct kt_kql *steps);

#endif
