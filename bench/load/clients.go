package main

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// work says what a client asks for. The number counts all requests of all clients from 0.
type work func(client, number int) call

// tally is what came of a run.
type tally struct {
	took     time.Duration
	requests int
	// How long each took, and where a pace was kept also those that it kept from being sent.
	nanos    []int64
	errors   int64
	bytes    int64
	ownMs    float64
	serverMs float64
}

// client asks for the next thing when it has its answer.
type client struct {
	*crew
	id     int
	conn   *conn
	sentAt time.Time
	nanos  []int64
	code   int
	bytes  int64
	text   []byte
	// Of a client that keeps a pace; otherwise 0.
	interval time.Duration
	answered int
}

// crew is the clients of one run.
type crew struct {
	work   work
	count  int64
	asked  atomic.Int64
	errors atomic.Int64
	spoken sync.Once
}

const shownOfAnError = 500

func (c *client) status(code int) { c.code, c.text = code, c.text[:0] }

func (c *client) data(piece []byte) {
	c.bytes += int64(len(piece))
	if c.code >= 300 && len(c.text) < shownOfAnError {
		c.text = append(c.text, piece...)
	}
}

func (c *client) end() error {
	c.answered++
	took := time.Since(c.sentAt)
	if c.code >= 300 {
		c.errors.Add(1)
		c.spoken.Do(func() { fmt.Fprintf(os.Stderr, "load: answered with %d %s\n", c.code, c.text) })
	}
	if c.interval > 0 {
		c.nanos = withMissed(c.nanos, took, c.interval)
		return nil
	}
	c.nanos = append(c.nanos, int64(took))
	return c.next()
}

// next sends the next request, if there is one.
func (c *client) next() error {
	number := c.asked.Add(1) - 1
	if number >= c.count || stopped.Load() {
		return nil
	}
	c.sentAt = time.Now()
	return c.conn.send(c.work(c.id, int(number)), c)
}

// connect opens what the clients share.
func connect(o *options) ([]*conn, error) {
	number := o.connections
	if number == 0 {
		number = o.clients
	}
	conns := make([]*conn, number)
	for at := range conns {
		opened, err := open(&o.target)
		if err != nil {
			return nil, err
		}
		conns[at] = opened
	}
	return conns, nil
}

// At most so many times of a client are foreseen.
const foreseen = 1 << 16

// loop makes `count` requests with all clients: as fast as the server answers, or at a pace.
func loop(o *options, conns []*conn, count int, what work) (*tally, error) {
	all := &crew{work: what, count: int64(count)}
	clients := make([]*client, o.clients)
	for id := range clients {
		times := make([]int64, 0, min(count/o.clients*2+1, foreseen))
		clients[id] = &client{crew: all, id: id, conn: conns[id%len(conns)], nanos: times}
	}
	if o.rate > 0 && o.clients != 1 {
		return nil, errors.New("one client keeps a pace, and not several")
	}
	failed := make([]error, len(conns))
	usage := startUsage(o.pids)
	started := time.Now()
	var group sync.WaitGroup
	for at, shared := range conns {
		group.Go(func() {
			if o.rate > 0 {
				failed[at] = clients[at].keepPace(o.rate)
				return
			}
			for id := at; id < len(clients); id += len(conns) {
				failed[at] = errors.Join(failed[at], clients[id].next())
			}
			failed[at] = errors.Join(failed[at], shared.run())
		})
	}
	group.Wait()
	result := &tally{took: time.Since(started), errors: all.errors.Load()}
	result.ownMs, result.serverMs = usage.stop()
	for _, one := range clients {
		result.requests += one.answered
		result.nanos = append(result.nanos, one.nanos...)
		result.bytes += one.bytes
	}
	return result, errors.Join(failed...)
}

// figures are those that every verb has.
func (t *tally) figures() figures {
	requests := float64(t.requests)
	return with(figures{
		"requests":           requests,
		"errors":             float64(t.errors),
		"seconds":            t.took.Seconds(),
		"requestsPerSecond":  requests / t.took.Seconds(),
		"bytesPerRequest":    float64(t.bytes) / requests,
		"ownMsPerRequest":    t.ownMs / requests,
		"serverMsPerRequest": t.serverMs / requests,
	}, "", t.nanos)
}
