#include "cli/exit.h"

#include "base/banned.h"

enum kt_exit kt_exit_of_verdict(enum kt_verdict v)
{
	switch (v) {
	case KT_CONFIRMED:
	case KT_LIKELY: return KT_EXIT_FOUND;
	case KT_AMBIGUOUS: return KT_EXIT_AMBIGUOUS;
	case KT_NOT_KNOWN: return KT_EXIT_NOT_KNOWN;
	case KT_HEALTHY: return KT_EXIT_HEALTHY;
	}
	return KT_EXIT_INTERNAL;
}

enum kt_exit kt_exit_of_error(const struct kt_err *err)
{
	switch (err->cls) {
	case KT_ERR_NONE: return KT_EXIT_FOUND;
	case KT_ERR_USAGE:
	case KT_ERR_REFUSED: return KT_EXIT_USAGE;
	case KT_ERR_RULES: return KT_EXIT_RULES;
	case KT_ERR_INPUT:
	case KT_ERR_LIMIT: return KT_EXIT_INPUT;
	case KT_ERR_OUTPUT: return KT_EXIT_OUTPUT;
	case KT_ERR_CLUSTER: return KT_EXIT_CLUSTER;
	case KT_ERR_CANCELLED: return KT_EXIT_INTERRUPTED;
	case KT_ERR_INTERNAL: return KT_EXIT_INTERNAL;
	}
	return KT_EXIT_INTERNAL;
}
