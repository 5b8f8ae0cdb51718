package main

import "time"

// keepPace sends a request at each of its turns, if the one before is answered.
func (c *client) keepPace(rate float64) error {
	c.interval = time.Duration(float64(time.Second) / rate)
	for due := time.Now(); !stopped.Load(); {
		number := c.asked.Add(1) - 1
		if number >= c.count {
			return nil
		}
		time.Sleep(time.Until(due))
		c.sentAt = time.Now()
		if err := c.conn.ask(c.work(c.id, int(number)), c); err != nil {
			return err
		}
		due = due.Add(c.interval * (time.Since(due)/c.interval + 1))
	}
	return nil
}

// withMissed is what others who kept the same pace would have waited: one request that was answered late stands for all
// that would have been sent meanwhile. Without them, a server that stops for a second would have one slow answer.
func withMissed(nanos []int64, took, interval time.Duration) []int64 {
	for ; took > 0; took -= interval {
		nanos = append(nanos, int64(took))
	}
	return nanos
}
