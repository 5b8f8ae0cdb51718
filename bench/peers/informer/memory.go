package main

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

const (
	handlers       = 10
	objectsPerNode = 10
)

func object(index, version int) *unstructured.Unstructured {
	name := strconv.Itoa(index)
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "directpv.min.io/v1beta1",
		"kind":       "DirectPVVolume",
		"metadata": map[string]any{
			"name":            "volume-" + name,
			"uid":             "uid-" + name,
			"resourceVersion": strconv.Itoa(version),
			"labels":          map[string]any{"node": "node-" + strconv.Itoa(index/objectsPerNode)},
		},
	}}
}

// indexLookups is the nanoseconds of a lookup of ten objects by an index.
func indexLookups(_ string, objects, lookups int) float64 {
	indexer := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{"node": func(obj any) ([]string, error) {
		return []string{obj.(*unstructured.Unstructured).GetLabels()["node"]}, nil
	}})
	for index := range objects {
		if err := indexer.Add(object(index, index+1)); err != nil {
			panic(err)
		}
	}
	nodes := make([]string, objects/objectsPerNode)
	for index := range nodes {
		nodes[index] = "node-" + strconv.Itoa(index)
	}
	runtime.GC()
	started := usedMs()
	found := 0
	for lookup := range lookups {
		list, err := indexer.ByIndex("node", nodes[lookup*7919%len(nodes)])
		if err != nil {
			panic(err)
		}
		found += len(list)
	}
	figure := (usedMs() - started) * 1e6 / float64(lookups)
	if found != lookups*objectsPerNode {
		panic(fmt.Sprintf("found %d objects", found))
	}
	return figure
}

// fanOut is the events a second that ten handlers are told of. They are made before, and sent by a channel.
func fanOut(_ string, objects, events int) float64 {
	list := &unstructured.UnstructuredList{Object: map[string]any{
		"apiVersion": "directpv.min.io/v1beta1",
		"kind":       "DirectPVVolumeList",
		"metadata":   map[string]any{"resourceVersion": strconv.Itoa(objects)},
	}}
	for index := range objects {
		list.Items = append(list.Items, *object(index, index+1))
	}
	changes := make([]watch.Event, events)
	for index := range changes {
		changes[index] = watch.Event{Type: watch.Modified, Object: object(index%objects, objects+index+1)}
	}
	stream := watch.NewFakeWithChanSize(1000, false)
	informer := cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(context.Context, metav1.ListOptions) (apiruntime.Object, error) { return list, nil },
		WatchFuncWithContext: func(_ context.Context, options metav1.ListOptions) (watch.Interface, error) {
			if options.SendInitialEvents != nil {
				return nil, fmt.Errorf("no streaming list here")
			}
			return stream, nil
		},
	}, &unstructured.Unstructured{}, 0, cache.Indexers{})
	var told atomic.Int64
	done := make(chan struct{})
	for range handlers {
		seen := 0
		_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{UpdateFunc: func(_, _ any) {
			seen++
			if seen == events && told.Add(1) == handlers {
				close(done)
			}
		}})
		if err != nil {
			panic(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go informer.RunWithContext(ctx)
	if !cache.WaitForCacheSync(ctx.Done(), informer.HasSynced) {
		panic("not synced")
	}
	runtime.GC()
	started := usedMs()
	for _, event := range changes {
		stream.Action(event.Type, event.Object)
	}
	<-done
	return float64(events) / (usedMs() - started) * 1000
}
