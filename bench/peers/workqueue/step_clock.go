package main

import (
	"sync/atomic"
	"time"

	"k8s.io/client-go/util/workqueue"
	"k8s.io/utils/clock"
)

// stepClock stands still until it is stepped. It costs the queue less than the real clock or the fake
// one of k8s.io/utils: reading it is one atomic load, and its timers do nothing. They need not: every
// step makes the queue's heartbeat tick, upon which the queue looks at what is due.
type stepClock struct {
	clock.RealClock
	now       atomic.Int64
	heartbeat chan time.Time
}

var _ clock.WithTicker = (*stepClock)(nil)

func newStepClock() *stepClock {
	return &stepClock{heartbeat: make(chan time.Time, 1)}
}

func newSteppedDelaying() (*stepClock, workqueue.TypedDelayingInterface[string]) {
	clock := newStepClock()
	return clock, workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[string]{Clock: clock})
}

func (c *stepClock) Now() time.Time { return time.Unix(0, c.now.Load()) }

// Step moves time. A tick that is still unread will be read after the move, so one suffices.
func (c *stepClock) Step(by time.Duration) {
	c.now.Add(int64(by))
	select {
	case c.heartbeat <- c.Now():
	default:
	}
}

func (c *stepClock) NewTimer(time.Duration) clock.Timer   { return silentTimer{} }
func (c *stepClock) NewTicker(time.Duration) clock.Ticker { return heartbeat(c.heartbeat) }

type silentTimer struct{}

func (silentTimer) C() <-chan time.Time      { return nil }
func (silentTimer) Stop() bool               { return true }
func (silentTimer) Reset(time.Duration) bool { return true }

type heartbeat chan time.Time

func (h heartbeat) C() <-chan time.Time { return h }
func (h heartbeat) Stop()               {}
