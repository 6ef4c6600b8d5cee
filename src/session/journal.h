/* Acts as JSON lines, for the files of this folder only. */
#ifndef KT_SESSION_JOURNAL_H
#define KT_SESSION_JOURNAL_H

#include "json/json.h"
#include "session/state.h"

/* Adds one line (with its end) for ACT to OUT. */
void kt_act_write(const struct kt_session *s, const struct kt_act *act, uint64_t seq, struct kt_buf *out);
/* The act of one parsed line, or NULL when it is none. What names a rule that the
 * base no longer has is left out and counted in *LOST. */
struct kt_act *kt_act_read(struct kt_session *s, const struct kt_json *line, size_t *lost);

#endif
