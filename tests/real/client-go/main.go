// A program of client-go's usual parts, none of it written for our server: typed and dynamic clients,
// paging, patches, server-side apply, a shared informer, leader election. It prints a line for each thing
// that worked, and exits with 1 at the first that did not.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

const namespace = "client-go"

func check(what string, err error) {
	if err != nil {
		fmt.Printf("FAIL %s: %v\n", what, err)
		os.Exit(1)
	}
	fmt.Println("ok", what)
}

func expect(what string, holds bool, seen any) {
	if !holds {
		check(what, fmt.Errorf("saw %v", seen))
	}
	check(what, nil)
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	check("reads the kubeconfig", err)
	config.QPS = 200
	config.Burst = 400
	client := kubernetes.NewForConfigOrDie(config)
	dyn := dynamic.NewForConfigOrDie(config)

	_, err = client.Discovery().ServerVersion()
	check("asks for the version", err)
	_, resources, err := client.Discovery().ServerGroupsAndResources()
	check("discovers resources", err)
	expect("finds several groups", len(resources) > 10, len(resources))

	_, err = client.CoreV1().Namespaces().Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	check("creates a namespace as protobuf", err)

	maps := client.CoreV1().ConfigMaps(namespace)
	for i := 0; i < 25; i++ {
		_, err = maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("m%02d", i), Labels: map[string]string{"even": fmt.Sprint(i%2 == 0)}}, Data: map[string]string{"i": fmt.Sprint(i)}}, metav1.CreateOptions{})
		if err != nil {
			check("creates config maps", err)
		}
	}
	page, err := maps.List(ctx, metav1.ListOptions{Limit: 10})
	check("lists a page", err)
	expect("gets ten and a token", len(page.Items) == 10 && page.Continue != "", len(page.Items))
	rest, err := maps.List(ctx, metav1.ListOptions{Limit: 100, Continue: page.Continue})
	check("lists the rest", err)
	found, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "even=true"})
	check("lists by label", err)
	expect("finds thirteen", len(found.Items) == 13, len(found.Items))
	expect("the pages hold all", len(page.Items)+len(rest.Items) >= 25, len(rest.Items))

	one, err := maps.Get(ctx, "m00", metav1.GetOptions{})
	check("gets one", err)
	stale := one.DeepCopy()
	one.Data["i"] = "changed"
	_, err = maps.Update(ctx, one, metav1.UpdateOptions{})
	check("updates it", err)
	_, err = maps.Update(ctx, stale, metav1.UpdateOptions{})
	expect("is refused with an old version", apierrors.IsConflict(err), err)
	_, err = maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "m00"}}, metav1.CreateOptions{})
	expect("is refused a taken name", apierrors.IsAlreadyExists(err), err)
	_, err = maps.Get(ctx, "none", metav1.GetOptions{})
	expect("is told what is not there", apierrors.IsNotFound(err), err)
	patch, _ := json.Marshal(map[string]any{"data": map[string]any{"p": "1"}})
	_, err = maps.Patch(ctx, "m01", types.MergePatchType, patch, metav1.PatchOptions{})
	check("patches it", err)
	applied, err := maps.Apply(ctx, applycorev1.ConfigMap("m02", namespace).WithData(map[string]string{"a": "1"}), metav1.ApplyOptions{FieldManager: "client-go-test"})
	check("applies", err)
	expect("keeps what others set", applied.Data["i"] == "2" && applied.Data["a"] == "1", applied.Data)

	replicas := int32(2)
	labels := map[string]string{"app": "web"}
	deployments := client.AppsV1().Deployments(namespace)
	made, err := deployments.Create(ctx, &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "nginx:1"}}}}},
	}, metav1.CreateOptions{})
	check("creates a deployment", err)
	expect("has defaults", made.Spec.Strategy.Type == appsv1.RollingUpdateDeploymentStrategyType, made.Spec.Strategy)
	scale, err := deployments.GetScale(ctx, "web", metav1.GetOptions{})
	check("reads its scale", err)
	scale.Spec.Replicas = 7
	_, err = deployments.UpdateScale(ctx, "web", scale, metav1.UpdateOptions{})
	check("writes its scale", err)
	made, err = deployments.Get(ctx, "web", metav1.GetOptions{})
	check("reads it again", err)
	expect("was scaled", *made.Spec.Replicas == 7 && made.Generation == 2, made.Generation)
	made.Status.Replicas = 7
	made, err = deployments.UpdateStatus(ctx, made, metav1.UpdateOptions{})
	check("writes its status", err)
	expect("has that status", made.Status.Replicas == 7 && made.Generation == 2, made.Status)

	gvr := schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	object, err := dyn.Resource(gvr).Namespace(namespace).Get(ctx, "m03", metav1.GetOptions{})
	check("reads dynamically", err)
	check("sets a field", unstructured.SetNestedField(object.Object, "dynamic", "data", "i"))
	_, err = dyn.Resource(gvr).Namespace(namespace).Update(ctx, object, metav1.UpdateOptions{})
	check("writes dynamically", err)

	events := make(chan string, 100)
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace(namespace))
	informer := factory.Core().V1().ConfigMaps().Informer()
	_, err = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, now any) { events <- "update " + now.(*corev1.ConfigMap).Name },
		DeleteFunc: func(gone any) {
			if object, ok := gone.(*corev1.ConfigMap); ok {
				events <- "delete " + object.Name
			}
		},
	})
	check("adds a handler", err)
	factory.Start(ctx.Done())
	expect("its informer syncs", cache.WaitForCacheSync(ctx.Done(), informer.HasSynced), "no sync")
	_, err = maps.Patch(ctx, "m04", types.MergePatchType, patch, metav1.PatchOptions{})
	check("changes something", err)
	expect("its informer sees the change", next(ctx, events) == "update m04", "another event")
	check("deletes something", maps.Delete(ctx, "m05", metav1.DeleteOptions{}))
	expect("its informer sees the deletion", next(ctx, events) == "delete m05", "another event")

	leading, stop := context.WithCancel(ctx)
	led := make(chan struct{})
	lock := &resourcelock.LeaseLock{LeaseMeta: metav1.ObjectMeta{Name: "lock", Namespace: namespace}, Client: client.CoordinationV1(), LockConfig: resourcelock.ResourceLockConfig{Identity: "me"}}
	go leaderelection.RunOrDie(leading, leaderelection.LeaderElectionConfig{
		Lock: lock, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second, ReleaseOnCancel: true,
		Callbacks: leaderelection.LeaderCallbacks{OnStartedLeading: func(context.Context) { close(led) }, OnStoppedLeading: func() {}},
	})
	select {
	case <-led:
		check("becomes the leader", nil)
	case <-ctx.Done():
		check("becomes the leader", ctx.Err())
	}
	stop()
	check("deletes a collection", maps.DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "even=true"}))
	left, err := maps.List(ctx, metav1.ListOptions{LabelSelector: "even=true"})
	check("lists what is left", err)
	expect("nothing is left", len(left.Items) == 0, len(left.Items))
}

func next(ctx context.Context, events <-chan string) string {
	select {
	case event := <-events:
		return event
	case <-ctx.Done():
		return "nothing"
	}
}
