package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// A stream with a mark that is only named, one time at its very end, and two that follow each other closely.
func stream() (text string, times []int64) {
	times = []int64{1763490000000000001, 1763490000000000002, 1763490000000000003, 9999999999999999999 / 10}
	event := func(nanos int64, filler int) string {
		return fmt.Sprintf(`{"f:sentAt":{},%s%019d"%s`, timeMark, nanos, strings.Repeat("x", filler))
	}
	return event(times[0], 100) + event(times[1], 0) + event(times[2], 40) + strings.TrimSuffix(event(times[3], 0), `"`), times
}

func TestEventsAreFoundHoweverTheStreamIsCut(t *testing.T) {
	text, want := stream()
	for size := 1; size <= len(text); size++ {
		var got []int64
		found := events{onTime: func(nanos int64) { got = append(got, nanos) }}
		for rest := text; len(rest) > 0; {
			piece := rest[:min(size, len(rest))]
			rest = rest[len(piece):]
			found.write([]byte(piece))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("in pieces of %d: %v and not %v", size, got, want)
		}
	}
}

func TestAnObjectHasTheSizeThatWasAskedFor(t *testing.T) {
	for _, size := range []int{140, 200, 1000, 1001, 1077, 10_000, 100_000} {
		made, err := newMap(size)
		if err != nil {
			t.Fatal(err)
		}
		body := string(made.body(123))
		if len(body) != size || !strings.Contains(body, `"name":"m00000123"`) {
			t.Errorf("size %d: %d bytes, %s", size, len(body), body[:min(len(body), 200)])
		}
	}
	if _, err := newMap(20); err == nil {
		t.Error("an object of 20 bytes was made")
	}
}

func TestPercentile(t *testing.T) {
	for _, row := range []struct {
		count int
		share float64
		want  int64
	}{{1, 0.5, 1}, {1, 0.99, 1}, {2, 0.5, 1}, {100, 0.99, 99}, {101, 0.99, 100}, {1000, 0.99, 990}, {1000, 0.5, 500}} {
		sorted := make([]int64, row.count)
		for at := range sorted {
			sorted[at] = int64(at+1) * 1e6
		}
		if got := percentile(sorted, row.share); got != float64(row.want) {
			t.Errorf("%v of %d: %v and not %d", row.share, row.count, got, row.want)
		}
	}
}

func TestALateAnswerStandsForThoseThatWereNotAskedFor(t *testing.T) {
	for _, row := range []struct {
		took time.Duration
		want []int64
	}{{3, []int64{3}}, {5, []int64{5}}, {6, []int64{6, 1}}, {17, []int64{17, 12, 7, 2}}} {
		if got := withMissed(nil, row.took, 5); !slices.Equal(got, row.want) {
			t.Errorf("%d: %v and not %v", row.took, got, row.want)
		}
	}
}
