package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"syscall"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
)

func processorMs() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

func memoryInUse() float64 {
	debug.FreeOSMemory()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

// informerFor makes an informer of a factory of its own and runs it until the context ends.
func informerFor(ctx context.Context, server string, handler cache.ResourceEventHandler) (cache.SharedIndexInformer, cache.ResourceEventHandlerRegistration) {
	client := dynamic.NewForConfigOrDie(configFor(server))
	informer := dynamicinformer.NewDynamicSharedInformerFactory(client, 0).ForResource(volumes).Informer()
	registration, err := informer.AddEventHandler(handler)
	if err != nil {
		panic(err)
	}
	go informer.RunWithContext(ctx)
	return informer, registration
}

// sync is the milliseconds until the handler has been told of everything.
func sync(server string, objects, _ int) float64 {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var told atomic.Int64
	done := make(chan struct{})
	runtime.GC()
	started := usedMs()
	informerFor(ctx, server, cache.ResourceEventHandlerFuncs{AddFunc: func(any) {
		if told.Add(1) == int64(objects) {
			close(done)
		}
	}})
	<-done
	return usedMs() - started
}

// heap is the megabytes that the cache holds.
func heap(server string, objects, _ int) float64 {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	before := memoryInUse()
	informer, registration := informerFor(ctx, server, cache.ResourceEventHandlerFuncs{})
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced, registration.HasSynced) {
		panic("not synced")
	}
	figure := (memoryInUse() - before) / 1e6
	if held := len(informer.GetStore().ListKeys()); held != objects {
		panic(fmt.Sprintf("holds %d objects, not %d", held, objects))
	}
	return figure
}

// watchEvents is the events a second, from the first to the last.
func watchEvents(server string, _, events int) float64 {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var seen int
	var first, last float64
	done := make(chan struct{})
	runtime.GC()
	informerFor(ctx, server, cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, _ any) {
		if seen == 0 {
			first = usedMs()
		}
		seen++
		if seen == events {
			last = usedMs()
			close(done)
		}
	}})
	<-done
	return float64(seen) / (last - first) * 1000
}
