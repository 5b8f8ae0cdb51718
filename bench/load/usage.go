package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// pids is a flag: processes by their number.
type pids []int

func (p *pids) String() string { return fmt.Sprint(*p) }

func (p *pids) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		pid, err := strconv.Atoi(part)
		if err != nil {
			return err
		}
		*p = append(*p, pid)
	}
	return nil
}

// usage measures processor time from a moment on: ours, and that of the server's processes.
type usage struct {
	pids        pids
	own, server float64
}

func startUsage(of pids) usage { return usage{pids: of, own: ownMs(), server: serverMs(of)} }

// stop returns what was used since, in milliseconds.
func (u usage) stop() (own, server float64) { return ownMs() - u.own, serverMs(u.pids) - u.server }

func ownMs() float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		panic(err)
	}
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e6
}

// The kernel's unit in /proc, on every Linux.
const tickMs = 10

// serverMs adds up all threads of the processes, also those that have ended. A process that is gone is an error of
// whoever named it: no figure would be right.
func serverMs(of pids) float64 {
	sum := 0
	for _, pid := range of {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			fail(err.Error())
		}
		// The name stands in parentheses and may have spaces; what follows it has none.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		for _, field := range fields[11:13] {
			ticks, err := strconv.Atoi(field)
			if err != nil {
				fail(err.Error())
			}
			sum += ticks
		}
	}
	return float64(sum * tickMs)
}
