// Command load asks an API server for one thing as fast as it can, with as little work of its own as can be: it
// speaks HTTP/2 over TLS in frames that are written by hand, parses no answer, and patches bytes that are prepared.
// It prints one JSON object of figures. So much processor time as it takes is missing for the server on the same
// machine; the figures say how much that was.
//
// Usage: load VERB --server URL --ca FILE --cert FILE --key FILE [flags]
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

type options struct {
	target      target
	clients     int
	connections int
	count       int
	warm        int
	size        int
	objects     int
	namespace   string
	query       string
	watchers    int
	watchConns  int
	rate        float64
	group       string
	pids        pids
}

type figures map[string]float64

var verbs = map[string]func(*options) (figures, error){
	"create":            create,
	"get":               get,
	"list":              list,
	"delete":            deleteEach,
	"delete-collection": deleteCollection,
	"fan-out":           fanOut,
	"probe":             probe,
	"apply-crds":        applyDefinitions,
	"delete-crds":       deleteDefinitions,
}

func main() {
	if len(os.Args) < 2 || verbs[os.Args[1]] == nil {
		names := slices.Sorted(func(yield func(string) bool) {
			for name := range verbs {
				if !yield(name) {
					return
				}
			}
		})
		fail(fmt.Sprintf("usage: load %s [flags]; load VERB -h lists them", strings.Join(names, "|")))
	}
	o := &options{}
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	flags.StringVar(&o.target.server, "server", "", "https://HOST:PORT")
	flags.StringVar(&o.target.caFile, "ca", "", "PEM of the authority of the server's certificate")
	flags.StringVar(&o.target.certFile, "cert", "", "PEM of the client's certificate")
	flags.StringVar(&o.target.keyFile, "key", "", "PEM of its key")
	flags.IntVar(&o.clients, "clients", 1, "how many ask at once, each for the next thing when it has its answer")
	flags.IntVar(&o.connections, "connections", 0, "how many connections they share; 0: each has its own")
	flags.IntVar(&o.count, "count", 1, "how many requests are measured")
	flags.IntVar(&o.warm, "warm", 0, "how many of the same are made before, in a namespace or with names of their own")
	flags.IntVar(&o.size, "size", 1000, "bytes of an object as it is sent")
	flags.IntVar(&o.objects, "objects", 1, "get: how many objects there are to be read")
	flags.StringVar(&o.namespace, "namespace", "bench", "made if it is not there")
	flags.StringVar(&o.query, "query", "resourceVersion=0", "list: what follows the question mark")
	flags.IntVar(&o.watchers, "watchers", 100, "fan-out: how many watch")
	flags.IntVar(&o.watchConns, "watch-connections", 10, "fan-out: how many connections the watchers share")
	flags.Float64Var(&o.rate, "rate", 0, "fan-out, probe: requests a second of the one client; 0: as fast as can be")
	flags.StringVar(&o.group, "group", "bench.windlass.dev", "the API group of definitions")
	flags.Var(&o.pids, "pids", "processes of the server, 1,2: their processor time is measured")
	procs := flags.Int("procs", 1, "threads that run this program's code; more of them look for work in vain")
	limit := flags.Duration("limit", 10*time.Minute, "after which it gives up")
	_ = flags.Parse(os.Args[2:]) // it exits by itself
	time.AfterFunc(*limit, func() { fail(fmt.Sprintf("not done after %v", *limit)) })
	runtime.GOMAXPROCS(*procs)
	debug.SetGCPercent(400)
	result, err := verbs[os.Args[1]](o)
	if err != nil {
		fail(err.Error())
	}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		fail(err.Error())
	}
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, "load: "+message)
	os.Exit(1)
}
