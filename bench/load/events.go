package main

import "bytes"

// events finds the times in a stream of watch events, however it is cut into pieces: each event has one.
type events struct {
	// The end of what came before, where it may be the beginning of a mark and its time.
	rest []byte
	// Told of each time, in nanoseconds since 1970.
	onTime func(nanos int64)
}

const (
	markAndTime = len(timeMark) + timeDigits
	// So much of a mark and its time may stand in one piece without being all of it.
	most = markAndTime - 1
)

var mark = []byte(timeMark)

func (e *events) write(piece []byte) {
	if len(e.rest) > 0 {
		// What began before this piece ends within these bytes of it. What begins in it does not.
		e.rest = append(e.rest, piece[:min(len(piece), most)]...)
		used := e.scan(e.rest)
		if len(piece) <= most {
			e.keep(e.rest[used:])
			return
		}
	}
	e.keep(piece[e.scan(piece):])
}

func (e *events) keep(end []byte) {
	e.rest = append(e.rest[:0], end[max(0, len(end)-most):]...)
}

// scan reports all times that are whole, and returns where the last one ends.
func (e *events) scan(text []byte) int {
	done := 0
	for {
		at := bytes.Index(text[done:], mark)
		if at < 0 || done+at+markAndTime > len(text) {
			return done
		}
		begin := done + at + len(mark)
		done = begin + timeDigits
		var nanos int64
		for _, digit := range text[begin:done] {
			nanos = nanos*10 + int64(digit-'0')
		}
		e.onTime(nanos)
	}
}
