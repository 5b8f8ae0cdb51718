// Command informer measures client-go's dynamic informer, in the shapes that bench/ours/informer.ts
// measures ours in. It prints one JSON object of figures, each the best of some passes.
//
// Usage: informer SCENARIO SERVER OBJECTS EVENTS
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	clientfeatures "k8s.io/client-go/features"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

var volumes = schema.GroupVersionResource{Group: "directpv.min.io", Version: "v1beta1", Resource: "directpvvolumes"}

// A scenario returns the figure of one pass.
type scenario struct {
	run    func(config *rest.Config, objects, events int) float64
	passes int
	better func(a, b float64) bool
}

func lower(a, b float64) bool  { return a < b }
func higher(a, b float64) bool { return a > b }

var scenarios = map[string]scenario{
	"sync":  {sync, 5, lower},
	"heap":  {heap, 2, lower},
	"watch": {watchEvents, 2, higher},
}

// listOnly turns streaming lists off, as KUBE_FEATURE_WatchListClient=false does.
type listOnly struct{ clientfeatures.Gates }

func (g listOnly) Enabled(key clientfeatures.Feature) bool {
	return key != clientfeatures.WatchListClient && g.Gates.Enabled(key)
}

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: informer SCENARIO SERVER OBJECTS EVENTS")
		os.Exit(2)
	}
	chosen, ok := scenarios[os.Args[1]]
	if !ok {
		fmt.Fprintf(os.Stderr, "informer: there is no scenario %q\n", os.Args[1])
		os.Exit(2)
	}
	objects, events := number(os.Args[3]), number(os.Args[4])
	figures := map[string]float64{}
	gates := clientfeatures.FeatureGates()
	for _, variant := range []string{"stream", "list"} {
		if variant == "list" {
			clientfeatures.ReplaceFeatureGates(listOnly{gates})
		}
		for pass := range chosen.passes {
			figure := chosen.run(configFor(os.Args[2]), objects, events)
			if pass == 0 || chosen.better(figure, figures[variant]) {
				figures[variant] = figure
			}
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(figures); err != nil {
		panic(err)
	}
	os.Exit(0)
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
		fmt.Fprintf(os.Stderr, "informer: %q is no number\n", text)
		os.Exit(2)
	}
	return value
}

// usedMs is the time of the wall, or with BENCH_CPU that of the processor.
func usedMs() float64 {
	if os.Getenv("BENCH_CPU") == "" {
		return float64(time.Since(began).Nanoseconds()) / 1e6
	}
	return processorMs()
}

var began = time.Now()
