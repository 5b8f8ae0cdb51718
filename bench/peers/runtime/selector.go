package main

import (
	"net/http"

	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type httpClient = *http.Client

// selectorFor keeps what is not of the benchmark out of the cache of config maps.
func selectorFor(objects []client.Object) labels.Selector {
	if len(objects) == 0 {
		return nil
	}
	return labels.SelectorFromSet(labels.Set{"bench": "runtime"})
}
