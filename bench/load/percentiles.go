package main

import (
	"math"
	"slices"
)

// with adds the distribution of some times, in milliseconds: p50Ms, p99Ms, maxMs and minMs, or lagP50Ms and so on.
func with(all figures, prefix string, nanos []int64) figures {
	if len(nanos) == 0 {
		return all
	}
	slices.Sort(nanos)
	name := func(short, long string) string {
		if prefix == "" {
			return short
		}
		return prefix + long
	}
	all[name("minMs", "MinMs")] = float64(nanos[0]) / 1e6
	all[name("p50Ms", "P50Ms")] = percentile(nanos, 0.5)
	all[name("p99Ms", "P99Ms")] = percentile(nanos, 0.99)
	all[name("maxMs", "MaxMs")] = float64(nanos[len(nanos)-1]) / 1e6
	return all
}

// percentile is the smallest of the sorted times that at least this share of them does not exceed, in milliseconds.
func percentile(sorted []int64, share float64) float64 {
	rank := int(math.Ceil(share * float64(len(sorted))))
	return float64(sorted[max(rank, 1)-1]) / 1e6
}
