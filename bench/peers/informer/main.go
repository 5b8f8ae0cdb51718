// Command informer measures client-go's informers, in the shapes that bench/ours/informer.ts and
// bench/ours/informer-memory.ts measure ours in. It prints one JSON object of figures, each the best of
// some passes. Whether it streams lists is for client-go's own KUBE_FEATURE_WatchListClient to say.
//
// Usage: informer SCENARIO PASSES OBJECTS EVENTS [SERVER]
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

var volumes = schema.GroupVersionResource{Group: "directpv.min.io", Version: "v1beta1", Resource: "directpvvolumes"}

// A scenario returns the figure of one pass.
type scenario struct {
	run    func(server string, objects, events int) float64
	better func(a, b float64) bool
}

func lower(a, b float64) bool  { return a < b }
func higher(a, b float64) bool { return a > b }

var scenarios = map[string]scenario{
	"sync":    {sync, lower},
	"heap":    {heap, lower},
	"watch":   {watchEvents, higher},
	"index":   {indexLookups, lower},
	"fan-out": {fanOut, higher},
}

func main() {
	if len(os.Args) < 5 {
		fail("usage: informer SCENARIO PASSES OBJECTS EVENTS [SERVER]")
	}
	chosen, ok := scenarios[os.Args[1]]
	if !ok {
		fail(fmt.Sprintf("there is no scenario %q", os.Args[1]))
	}
	passes, objects, events := number(os.Args[2]), number(os.Args[3]), number(os.Args[4])
	server := ""
	if len(os.Args) > 5 {
		server = os.Args[5]
	}
	var best float64
	for pass := range passes {
		figure := chosen.run(server, objects, events)
		if pass == 0 || chosen.better(figure, best) {
			best = figure
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(map[string]float64{"best": best}); err != nil {
		panic(err)
	}
}

// configFor takes the address of a server or the path of a kubeconfig.
func configFor(server string) *rest.Config {
	config := &rest.Config{Host: server}
	if server[0] == '/' {
		loaded, err := clientcmd.BuildConfigFromFlags("", server)
		if err != nil {
			panic(err)
		}
		config = loaded
	}
	config.QPS = -1
	return config
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		fail(fmt.Sprintf("%q is no number", text))
	}
	return value
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, "informer: "+message)
	os.Exit(2)
}

// usedMs is the time of the wall, or with BENCH_CPU that of the processor.
func usedMs() float64 {
	if os.Getenv("BENCH_CPU") == "" {
		return float64(time.Since(began).Nanoseconds()) / 1e6
	}
	return processorMs()
}

var began = time.Now()
