package main

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"k8s.io/client-go/util/workqueue"
)

// freshKeys makes new strings for each pass: a key in real life comes from an object just read.
func freshKeys(count int) []string {
	keys := make([]string, count)
	for i := range keys {
		keys[i] = fmt.Sprintf("namespace-%d/deployment-7d4b9c6f5-%07d", i%100, i)
	}
	return keys
}

// nanosecondsEach runs work with a clean heap and returns its duration by count: wall time, or what all
// threads together used of the processors where BENCH_CPU asks for that.
func nanosecondsEach(count int, work func()) float64 {
	runtime.GC()
	started := now()
	work()
	return float64(now()-started) / float64(count)
}

var (
	countCPU = os.Getenv("BENCH_CPU") != ""
	epoch    = time.Now()
)

func now() int64 {
	if !countCPU {
		return time.Since(epoch).Nanoseconds()
	}
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func processors() int { return runtime.GOMAXPROCS(0) }

// inWorkers runs work in that many goroutines; a single one is the caller's own.
func inWorkers(workers int, work func(worker int)) {
	if workers == 1 {
		work(0)
		return
	}
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() { work(worker) })
	}
	group.Wait()
}

// variants measures with one worker and with one for each processor.
func variants(measure func(workers int) float64) map[string]float64 {
	return map[string]float64{"sequential": measure(1), "concurrent": measure(processors())}
}

// distinct: add all keys, then get and done each.
func distinct(count int) map[string]float64 {
	keys := freshKeys(count)
	sequential := nanosecondsEach(count, func() {
		queue := workqueue.NewTyped[string]()
		for _, key := range keys {
			queue.Add(key)
		}
		for range keys {
			item, _ := queue.Get()
			queue.Done(item)
		}
	})
	keys = freshKeys(count)
	concurrent := nanosecondsEach(count, func() {
		queue := workqueue.NewTyped[string]()
		var adders sync.WaitGroup
		adders.Go(func() {
			for _, key := range keys {
				queue.Add(key)
			}
			queue.ShutDown()
		})
		inWorkers(processors(), func(int) {
			for {
				item, shutDown := queue.Get()
				if shutDown {
					return
				}
				queue.Done(item)
			}
		})
		adders.Wait()
	})
	return map[string]float64{"sequential": sequential, "concurrent": concurrent}
}

const (
	hotKeys   = 64
	hotReAdds = 3
)

// hot: 64 keys, each added three times while it is processed, so that it runs again and again.
func hot(count int) map[string]float64 {
	return variants(func(workers int) float64 {
		queue := workqueue.NewTyped[string]()
		for _, key := range freshKeys(hotKeys) {
			queue.Add(key)
		}
		return nanosecondsEach(count, func() {
			inWorkers(workers, func(int) {
				for range count / workers {
					item, _ := queue.Get()
					for range hotReAdds {
						queue.Add(item)
					}
					queue.Done(item)
				}
			})
		})
	})
}

const (
	sentinel = "sentinel"
	hour     = uint32(3_600_000)
)

// delays gives the same random milliseconds as ours, from one hour up to two: none falls due by itself.
func delays(count int) []time.Duration {
	state := uint32(2463534242)
	values := make([]time.Duration, count)
	for i := range values {
		state ^= state << 13
		state ^= state >> 17
		state ^= state << 5
		values[i] = time.Duration(hour+state%hour) * time.Millisecond
	}
	return values
}

// addAfter: the cost of adding, until the queue's own goroutine has taken in the last key. The channel
// is first come first served, so a sentinel that is due at once comes out only then.
func addAfter(count int) map[string]float64 {
	waits := delays(count)
	measure := func(queue workqueue.TypedDelayingInterface[string], step func(), workers int) float64 {
		defer queue.ShutDown()
		keys := freshKeys(count)
		return nanosecondsEach(count, func() {
			inWorkers(workers, func(worker int) {
				for i := worker; i < len(keys); i += workers {
					queue.AddAfter(keys[i], waits[i])
				}
			})
			queue.AddAfter(sentinel, time.Nanosecond)
			step()
			item, _ := queue.Get()
			queue.Done(item)
		})
	}
	none := func() {}
	clock, stepped := newSteppedDelaying()
	return map[string]float64{
		"sequential":    measure(workqueue.NewTypedDelayingQueue[string](), none, 1),
		"concurrent":    measure(workqueue.NewTypedDelayingQueue[string](), none, processors()),
		"stepped clock": measure(stepped, func() { clock.Step(time.Millisecond) }, 1),
	}
}

// addAfterDrain: add all, let two hours pass at once, then get and done each.
func addAfterDrain(count int) map[string]float64 {
	waits := delays(count)
	return variants(func(workers int) float64 {
		clock, queue := newSteppedDelaying()
		defer queue.ShutDown()
		keys := freshKeys(count)
		return nanosecondsEach(count, func() {
			for i, key := range keys {
				queue.AddAfter(key, waits[i])
			}
			clock.Step(2 * time.Hour)
			inWorkers(workers, func(int) {
				for range count / workers {
					item, _ := queue.Get()
					queue.Done(item)
				}
			})
		})
	})
}

const retryFailures = 4

// retry: each key fails four times, with growing back-off, and then succeeds. One figure for each run.
func retry(count int) map[string]float64 {
	return variants(func(workers int) float64 {
		clock := newStepClock()
		limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[string](5*time.Millisecond, 1000*time.Second)
		queue := workqueue.NewTypedRateLimitingQueueWithConfig(limiter,
			workqueue.TypedRateLimitingQueueConfig[string]{Clock: clock})
		defer queue.ShutDown()
		keys := freshKeys(count)
		each := func(work func(item string)) {
			inWorkers(workers, func(int) {
				for range count / workers {
					item, _ := queue.Get()
					work(item)
					queue.Done(item)
				}
			})
		}
		return nanosecondsEach(count*(retryFailures+1), func() {
			for _, key := range keys {
				queue.Add(key)
			}
			for range retryFailures {
				each(queue.AddRateLimited)
				clock.Step(time.Second)
			}
			each(queue.Forget)
		})
	})
}

// growth: how much dearer a key is among `count` than among a thousand.
func growth(count int) map[string]float64 {
	few, many := passOver(1000, count/1000), passOver(count, 1)
	return map[string]float64{"sequential": many / few}
}

func passOver(size, times int) float64 {
	batches := make([][]string, times)
	for i := range batches {
		batches[i] = freshKeys(size)
	}
	queue := workqueue.NewTyped[string]()
	return nanosecondsEach(size*times, func() {
		for _, keys := range batches {
			for _, key := range keys {
				queue.Add(key)
			}
			for range keys {
				item, _ := queue.Get()
				queue.Done(item)
			}
		}
	})
}

// heapPerKey: bytes of heap for each queued key, without the key itself.
func heapPerKey(count int) map[string]float64 {
	keys := freshKeys(count)
	before := heapInUse()
	queue := workqueue.NewTyped[string]()
	for _, key := range keys {
		queue.Add(key)
	}
	after := heapInUse()
	runtime.KeepAlive(queue)
	runtime.KeepAlive(keys)
	return map[string]float64{"queued": float64(after-before) / float64(count)}
}

func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
