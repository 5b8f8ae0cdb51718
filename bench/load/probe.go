package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
)

// probe gets one small object again and again, at an even pace, until its standard input ends.
func probe(o *options) (figures, error) {
	conns, err := connect(o)
	if err != nil {
		return nil, err
	}
	paced := o.rate
	o.rate = 0
	if _, err := createIn(o, conns, o.namespace, 1); err != nil {
		return nil, err
	}
	path := fmt.Sprintf(mapsPath, o.namespace) + "/" + nameOf(0)
	what := func(_, _ int) call { return call{method: "GET", path: path} }
	if _, err := loop(o, conns, max(o.warm, 1), what); err != nil {
		return nil, err
	}
	o.rate = paced
	fmt.Println("ready")
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stopped.Store(true)
	}()
	done, err := loop(o, conns, endless, what)
	if err != nil {
		return nil, err
	}
	return done.figures(), nil
}

// More than anybody waits for.
const endless = 1 << 40

// stopped ends every loop.
var stopped atomic.Bool
