/* Whole files, with a ceiling; and the folders that XDG names. */
#ifndef KT_BASE_FILE_H
#define KT_BASE_FILE_H

#include "base/buf.h"
#include "base/err.h"

/* Adds the content of PATH to OUT: a regular file only. A file longer than OUT's ceiling is an error
 * of class LIMIT; others are of class INPUT and name the path. */
KT_MUST_CHECK int kt_file_read(const char *path, struct kt_buf *out, struct kt_err *err);

/* Writes TEXT to a temporary file beside PATH and renames it over PATH; with
 * mode 0600. The old file stays whole when anything fails. */
KT_MUST_CHECK int kt_file_replace(const char *path, struct kt_str text, struct kt_err *err);

/* Adds $VAR/ktriage, or $HOME/HOME_PART/ktriage when VAR is unset or relative,
 * and creates it (0700). Class OUTPUT when neither can be used. */
KT_MUST_CHECK int kt_file_xdg(const char *var, const char *home_part, struct kt_buf *out, struct kt_err *err);

#endif
