// Command runtime measures controller-runtime, in the shapes that bench/ours/runtime.ts measures ours in.
// It prints one JSON object of figures.
//
//	runtime noop|read|memory PASSES OBJECTS SERVER
//	runtime write|latency-p50|latency-p99 PASSES OBJECTS KUBECONFIG
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/log"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	workers   = 16
	namespace = "default"
)

var (
	passes int
	count  int
	server string
)

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// usedMs is milliseconds of the wall, or with BENCH_CPU those of the processor, of all threads.
func usedMs() float64 {
	if os.Getenv("BENCH_CPU") == "" {
		return float64(time.Now().UnixNano()) / 1e6
	}
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return float64(usage.Utime.Nano()+usage.Stime.Nano()) / 1e6
}

func config() *rest.Config {
	var found *rest.Config
	if strings.HasPrefix(server, "/") {
		found = must(clientcmd.BuildConfigFromFlags("", server))
	} else {
		found = &rest.Config{Host: server}
	}
	// The server's own limits are fair to all; those of the client are not what is measured.
	found.QPS = -1
	return found
}

func manager(objects ...client.Object) ctrl.Manager {
	scheme := apiruntime.NewScheme()
	check(corev1.AddToScheme(scheme))
	scheme.AddKnownTypes(volumes, &DirectPVVolume{}, &DirectPVVolumeList{})
	metav1.AddToGroupVersion(scheme, volumes)
	mapper := meta.NewDefaultRESTMapper(nil)
	mapper.AddSpecific(volumes.WithKind("DirectPVVolume"), volumes.WithResource("directpvvolumes"),
		volumes.WithResource("directpvvolume"), meta.RESTScopeRoot)
	mapper.Add(corev1.SchemeGroupVersion.WithKind("ConfigMap"), meta.RESTScopeNamespace)
	return must(ctrl.NewManager(config(), ctrl.Options{
		Scheme:         scheme,
		MapperProvider: func(*rest.Config, httpClient) (meta.RESTMapper, error) { return mapper, nil },
		Metrics:        metricsserver.Options{BindAddress: "0"},
		Cache:          cache.Options{DefaultLabelSelector: selectorFor(objects)},
	}))
}

// queueSource hands out the controller's own queue, which is the fastest way in.
type queueSource struct {
	queue chan workqueue.TypedRateLimitingInterface[reconcile.Request]
}

func (s queueSource) Start(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	s.queue <- queue
	return nil
}

func request(name string) reconcile.Request {
	return reconcile.Request{NamespacedName: types.NamespacedName{Name: name}}
}

// rate is reconciles a second of all keys, enqueued at once.
func rate(mgr ctrl.Manager, object client.Object, keys []reconcile.Request, initial bool,
	filter predicate.Predicate, do func(context.Context, reconcile.Request) error) float64 {
	var left atomic.Int64
	done := make(chan struct{}, 1)
	left.Store(1 << 60)
	if initial {
		left.Store(int64(len(keys)))
	}
	queues := queueSource{make(chan workqueue.TypedRateLimitingInterface[reconcile.Request], 1)}
	check(ctrl.NewControllerManagedBy(mgr).For(object).Named("bench").WatchesRawSource(queues).WithEventFilter(filter).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(reconcile.Func(func(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
			err := do(ctx, r)
			if left.Add(-1) == 0 {
				done <- struct{}{}
			}
			return reconcile.Result{}, err
		})))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { check(mgr.Start(ctx)) }()
	queue := <-queues.queue
	if initial {
		<-done
	} else {
		mgr.GetCache().WaitForCacheSync(ctx)
	}
	best := 0.0
	for range passes {
		left.Store(int64(len(keys)))
		runtime.GC()
		started := usedMs()
		for _, key := range keys {
			queue.Add(key)
		}
		<-done
		best = max(best, float64(len(keys))/(usedMs()-started)*1000)
	}
	return best
}

func volumeKeys() []reconcile.Request {
	keys := make([]reconcile.Request, count)
	for index := range keys {
		keys[index] = request(fmt.Sprintf("pvc-5a1c7a3e-0c7e-4a27-9f0b-%012d", index))
	}
	return keys
}

func everything() predicate.Predicate { return predicate.Funcs{} }

func noop() float64 {
	return rate(manager(), &DirectPVVolume{}, volumeKeys(), true, everything(),
		func(context.Context, reconcile.Request) error { return nil })
}

func read() float64 {
	mgr := manager()
	reader := mgr.GetClient()
	return rate(mgr, &DirectPVVolume{}, volumeKeys(), true, everything(), func(ctx context.Context, r reconcile.Request) error {
		var found DirectPVVolume
		if err := reader.Get(ctx, r.NamespacedName, &found); err != nil {
			return err
		}
		if found.Status.FSUUID == "" {
			return fmt.Errorf("empty")
		}
		return nil
	})
}

func inUse() float64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return float64(stats.HeapAlloc)
}

func memory() float64 {
	before := inUse()
	mgr := manager()
	var left atomic.Int64
	left.Store(int64(count))
	done := make(chan struct{}, 1)
	check(ctrl.NewControllerManagedBy(mgr).For(&DirectPVVolume{}).Named("bench").
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) {
			if left.Add(-1) == 0 {
				done <- struct{}{}
			}
			return reconcile.Result{}, nil
		})))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { check(mgr.Start(ctx)) }()
	<-done
	time.Sleep(50 * time.Millisecond)
	figure := (inUse() - before) / 1e6
	runtime.KeepAlive(mgr)
	return figure
}

func fill(writer client.Client) []reconcile.Request {
	keys := make([]reconcile.Request, count)
	todo := make(chan string)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for name := range todo {
				object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
					Name: name, Namespace: namespace, Labels: map[string]string{"bench": "runtime"},
				}}
				check(client.IgnoreAlreadyExists(writer.Create(context.Background(), object)))
			}
		})
	}
	for index := range keys {
		name := "bench-runtime-" + strconv.Itoa(index)
		keys[index] = reconcile.Request{NamespacedName: types.NamespacedName{Namespace: namespace, Name: name}}
		todo <- name
	}
	close(todo)
	group.Wait()
	return keys
}

func stamp(ctx context.Context, writer client.Client, r reconcile.Request, value string) error {
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: r.Name, Namespace: r.Namespace}}
	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata":{"annotations":{"stamp":"`+value+`"}}}`))
	return writer.Patch(ctx, object, patch)
}

func write() float64 {
	mgr := manager(&corev1.ConfigMap{})
	writer := mgr.GetClient()
	keys := fill(writer)
	nothing := predicate.NewPredicateFuncs(func(client.Object) bool { return false })
	var runs atomic.Int64
	passes++ // The first only warms up; it is never the best by chance, because caches are cold.
	return rate(mgr, &corev1.ConfigMap{}, keys, false, nothing, func(ctx context.Context, r reconcile.Request) error {
		return stamp(ctx, writer, r, fmt.Sprintf("%d-%d", os.Getpid(), runs.Add(1)))
	})
}

func latency(percentile float64) float64 {
	mgr := manager(&corev1.ConfigMap{})
	writer := mgr.GetClient()
	keys := fill(writer)
	var waiting atomic.Pointer[string]
	began := make(chan time.Time, 1)
	check(ctrl.NewControllerManagedBy(mgr).For(&corev1.ConfigMap{}).Named("bench").
		WithOptions(controller.Options{MaxConcurrentReconciles: workers}).
		Complete(reconcile.Func(func(_ context.Context, r reconcile.Request) (reconcile.Result, error) {
			if name := waiting.Load(); name != nil && *name == r.Name && waiting.CompareAndSwap(name, nil) {
				began <- time.Now()
			}
			return reconcile.Result{}, nil
		})))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() { check(mgr.Start(ctx)) }()
	mgr.GetCache().WaitForCacheSync(ctx)
	// Until the runs of what was there are over.
	time.Sleep(2 * time.Second)
	figures := make([]float64, 0, len(keys))
	for _, key := range keys {
		name := key.Name
		waiting.Store(&name)
		sent := time.Now()
		check(stamp(ctx, writer, key, fmt.Sprintf("l%d", sent.UnixNano())))
		figures = append(figures, float64((<-began).Sub(sent).Nanoseconds())/1e6)
	}
	sort.Float64s(figures)
	return figures[int(float64(len(figures))*percentile)]
}

func main() {
	log.SetLogger(logr.Discard())
	passes = must(strconv.Atoi(os.Args[2]))
	count = must(strconv.Atoi(os.Args[3]))
	server = os.Args[4]
	scenarios := map[string]func() float64{
		"noop": noop, "read": read, "write": write, "memory": memory,
		"latency-p50": func() float64 { return latency(0.5) },
		"latency-p99": func() float64 { return latency(0.99) },
	}
	fmt.Printf("{\"best\":%v}\n", scenarios[os.Args[1]]())
}
