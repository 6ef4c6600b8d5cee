/* What one thread needs to find patterns in records. Inside the module only. */
#ifndef KT_SCAN_LANE_H
#define KT_SCAN_LANE_H

#include "scan/scan.h"

/* Hits of one record, with their captures. */
struct kt_lane_hits {
	struct kt_hit *hit;
	size_t n, cap;
	struct kt_capture *caps; /* of all of them, one behind the other */
	size_t n_caps, cap_caps;
};

struct kt_lane {
	const struct kt_kb *kb;
	const struct kt_filter *filter;
	struct kt_matcher *matcher;
	struct kt_sieve sieve;
	uint32_t cap;
	bool every_record;
	struct kt_candidates candidates;
	struct kt_sieve_place *places;
	size_t cap_places;
	struct {
		uint32_t hits; /* records of this segment */
		enum { KT_LANE_NOT_ASKED, KT_LANE_NO, KT_LANE_YES } teaches;
		uint64_t literals; /* beyond the cap */
	} * pattern;
	bool capped;    /* some pattern has literals beyond the cap */
	uint32_t input; /* of the last record */
	struct kt_lane_hits hits;
	const struct kt_record *rec;     /* at hand */
	const struct kt_scan_sink *sink; /* borrowed; see kt_lane_aim */
};

void kt_lane_init(struct kt_lane *l, const struct kt_kb *kb, const struct kt_filter *filter,
		  const struct kt_scan_options *options);
void kt_lane_free(struct kt_lane *l);

/* What is found goes to SINK from now on. IN gets the sieve. */
void kt_lane_aim(struct kt_lane *l, const struct kt_scan_sink *sink, struct kt_inputs *in);

/* The record function of a reader; CTX is the lane. */
int kt_lane_record(void *ctx, const struct kt_record *rec);

/* Tells of the literals beyond the cap; begins to count anew. */
void kt_lane_restart(struct kt_lane *l);

#endif
