/* Output longer than the screen goes through the person's pager.
 *
 * $KTRIAGE_PAGER, else $PAGER, else less; an empty value or "cat" means none. The
 * value is a shell command, as git and man take it. LESS=FRX unless it is set.
 */
#ifndef KT_TERM_PAGER_H
#define KT_TERM_PAGER_H

#include "base/buf.h"
#include "base/err.h"

/* Writes TEXT, which is safe for a terminal already, to stdout: through the pager
 * when stdin and stdout are terminals and TEXT takes more lines than the screen
 * has. A pager that is left early is fine; one that is missing or that cannot be
 * started is passed over. Class OUTPUT when stdout cannot be written. */
KT_MUST_CHECK int kt_page(struct kt_str text, struct kt_err *err);

/* Writes TEXT to stdout as it is. */
KT_MUST_CHECK int kt_print(struct kt_str text, struct kt_err *err);

/* Lines that TEXT takes on a screen of WIDTH columns; colours take no place. */
size_t kt_page_lines(struct kt_str text, unsigned width);

#endif
