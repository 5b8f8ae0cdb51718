// Command workqueue measures client-go's typed work queues, in the shapes that bench/ours/workqueue.ts
// measures ours in. It prints one JSON object that maps each variant to its best pass: what else runs on
// the machine only ever adds. The bench takes the best variant, so the peer is judged by what it does best.
//
// Usage: workqueue SCENARIO PASSES COUNT
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"
)

// A scenario returns the figures of one pass, one for each variant.
type scenario func(count int) map[string]float64

var scenarios = map[string]scenario{
	"distinct":        distinct,
	"hot":             hot,
	"add-after":       addAfter,
	"add-after-drain": addAfterDrain,
	"retry":           retry,
	"growth":          growth,
	"heap":            heapPerKey,
}

const (
	warmUp          = 1500 * time.Millisecond
	minWarmUpPasses = 2
)

func main() {
	if len(os.Args) != 4 || scenarios[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: workqueue SCENARIO PASSES COUNT")
		os.Exit(2)
	}
	run := scenarios[os.Args[1]]
	passes, count := number(os.Args[2]), number(os.Args[3])
	started := time.Now()
	// A single pass is a look at whether it runs; its figure means little anyway.
	for pass := 0; passes > 1 && (pass < minWarmUpPasses || time.Since(started) < warmUp); pass++ {
		run(count)
	}
	best := map[string]float64{}
	for range passes {
		for variant, figure := range run(count) {
			if known, ok := best[variant]; !ok || figure < known {
				best[variant] = figure
			}
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(best); err != nil {
		panic(err)
	}
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil || value < 1 {
		fmt.Fprintf(os.Stderr, "workqueue: %q is no count\n", text)
		os.Exit(2)
	}
	return value
}
