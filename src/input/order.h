/* The order in which the files of a folder are read. Inside the module only.
 *
 * Names are compared byte by byte, numbers in them as numbers: part2 before part10.
 * But of the files of one log the oldest comes first and the one that is being
 * written last. They have the same name but for the marks of rotation, which are
 * taken off with the separators ([-_.]) before them:
 *
 *   driver.log.10.gz  driver.log.2  driver.log.1  driver.log
 *   log4j-2026-11-30-09.log.gz  log4j-2026-11-30-10.log.gz  log4j-active.log
 *   stdout--2026-11-30--09-00  stdout        0.log.20261130-101010.gz  0.log
 *   gc.log.0  gc.log.1  gc.log.2.current
 *
 *   .gz .zst .bz2 .xz .lz4 .zip .Z at the end        do not count
 *   a date, with a time or a counter behind it       (year, month, day: 2026-11-30 or
 *                                                    20261130): by date, first of all
 *   .N at the end, of at most six digits             the highest is the oldest; behind the
 *                                                    dated ones. Where a log has a
 *                                                    .current, the lowest is the oldest
 *   .current at the end; active as a word (-active)  last, as is a name without marks
 *
 * What is still the same is in the order of bytes, so that the order is always one.
 */
#ifndef KT_INPUT_ORDER_H
#define KT_INPUT_ORDER_H

#include <stddef.h>

#include "base/str.h"

/* Sorts N names. */
void kt_order_names(struct kt_str *names, size_t n);

#endif
