package main

import (
	"errors"
	"fmt"
	"sync"
	"time"
)

// watcher is the sink of one watch.
type watcher struct {
	events
	on *watching
}

// watching is one connection with its watches. One goroutine reads it.
type watching struct {
	conn     *conn
	watchers int
	standing int
	received int
	lags     []int64
	failed   error
	// Of all pieces that one read brought, the time need be asked only once.
	now int64
}

func (w *watcher) status(code int) {
	if code == 200 {
		w.on.standing++
	} else {
		w.on.failed = fmt.Errorf("a watch was answered with %d", code)
	}
}

func (w *watcher) data(piece []byte) { w.write(piece) }

func (w *watcher) end() error { return errors.New("the server ended a watch") }

func (w *watching) seen(nanos int64) {
	w.received++
	w.lags = append(w.lags, w.now-nanos)
}

// until reads until something is so.
func (w *watching) until(isDone func() bool) error {
	for !isDone() {
		if w.conn.in.Buffered() == 0 {
			if err := w.conn.flush(); err != nil {
				return err
			}
			if _, err := w.conn.in.Peek(1); err != nil {
				return err
			}
			w.now = time.Now().UnixNano()
		}
		if err := w.conn.read(); err != nil {
			return err
		}
		if w.failed != nil {
			return w.failed
		}
	}
	return nil
}

// fanOut creates objects while many watch, and counts what arrives at them all together.
func fanOut(o *options) (figures, error) {
	writers, err := connect(o)
	if err != nil {
		return nil, err
	}
	if err := ensureNamespace(writers[0], o.namespace); err != nil {
		return nil, err
	}
	what, err := creation(o, o.namespace)
	if err != nil {
		return nil, err
	}
	all, err := watch(o)
	if err != nil {
		return nil, err
	}
	if o.warm > 0 {
		if _, _, err := deliver(o, writers, all, o.warm, what); err != nil {
			return nil, err
		}
	}
	numbered := func(client, number int) call { return what(client, o.warm+number) }
	usage := startUsage(o.pids)
	created, took, err := deliver(o, writers, all, o.count, numbered)
	if err != nil {
		return nil, err
	}
	ownMs, serverMs := usage.stop()
	var lags []int64
	for _, one := range all {
		lags = append(lags, one.lags...)
	}
	events := float64(len(lags))
	result := with(figures{
		"events":           events,
		"errors":           float64(created.errors),
		"seconds":          took.Seconds(),
		"eventsPerSecond":  events / took.Seconds(),
		"ownMsPerEvent":    ownMs / events,
		"serverMsPerEvent": serverMs / events,
	}, "lag", lags)
	return with(result, "create", created.nanos), nil
}

// watch opens the watches, and returns when all stand.
func watch(o *options) ([]*watching, error) {
	all := make([]*watching, min(o.watchConns, o.watchers))
	path := fmt.Sprintf(mapsPath, o.namespace) + "?watch=true&resourceVersion=0"
	for at := range all {
		opened, err := open(&o.target)
		if err != nil {
			return nil, err
		}
		one := &watching{conn: opened, watchers: o.watchers / len(all)}
		if at < o.watchers%len(all) {
			one.watchers++
		}
		one.lags = make([]int64, 0, one.watchers*max(o.count, o.warm))
		for range one.watchers {
			if err := opened.send(call{method: "GET", path: path}, &watcher{events{onTime: one.seen}, one}); err != nil {
				return nil, err
			}
		}
		if err := one.until(func() bool { return one.standing == one.watchers }); err != nil {
			return nil, err
		}
		all[at] = one
	}
	return all, nil
}

// deliver creates `count` objects, and returns when every watcher has had them all.
func deliver(o *options, writers []*conn, all []*watching, count int, what work) (*tally, time.Duration, error) {
	failed := make([]error, len(all)+1)
	started := time.Now()
	var group sync.WaitGroup
	for at, one := range all {
		one.received, one.lags = 0, one.lags[:0]
		group.Go(func() {
			failed[at] = one.until(func() bool { return one.received >= count*one.watchers })
		})
	}
	created, err := loop(o, writers, count, what)
	group.Wait()
	failed[len(all)] = err
	return created, time.Since(started), errors.Join(failed...)
}
