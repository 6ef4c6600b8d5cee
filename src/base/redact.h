/* Takes secrets out of text before it is kept or shown.
 *
 * A hand-written scanner, since every layer needs it: values behind a name that
 * ends like a secret's name (secret, password, token, key of an account or app,
 * sig, signature), as assignments, JSON, tuples, escaped URLs, XML and command lines
 * write them; Authorization and Bearer credentials; JSON web tokens, passwords in
 * addresses and private keys wherever they stand. The value becomes "***"; the rest stays as it is, so
 * that places and messages are still readable. It errs on the side of too much.
 */
#ifndef KT_BASE_REDACT_H
#define KT_BASE_REDACT_H

#include "base/buf.h"

void kt_redact(struct kt_buf *out, struct kt_str text);

/* True if kt_redact would change the text. */
bool kt_redact_needed(struct kt_str text);

#endif
