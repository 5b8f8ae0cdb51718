// Command go-codec answers what Kubernetes' own codecs make of an object. It reads lines of JSON, each
// an object that names its apiVersion and kind, and prints for each a line
//
//	{"protobuf": the object as Go encodes it, in base64, "json": what Go serves of those bytes}
//
// or {"error": why not}.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

type answer struct {
	Protobuf []byte          `json:"protobuf,omitempty"`
	JSON     json.RawMessage `json:"json,omitempty"`
	Error    string          `json:"error,omitempty"`
}

func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientscheme.AddToScheme, apiextensionsv1.AddToScheme, apiregistrationv1.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	metav1.AddToGroupVersion(scheme, schema.GroupVersion{Version: "v1"})
	return scheme
}

func convert(scheme *runtime.Scheme, line []byte) (answer, error) {
	var typeMeta metav1.TypeMeta
	if err := json.Unmarshal(line, &typeMeta); err != nil {
		return answer{}, err
	}
	kind := typeMeta.GroupVersionKind()
	object, err := scheme.New(kind)
	if err != nil {
		return answer{}, err
	}
	if err := json.Unmarshal(line, object); err != nil {
		return answer{}, err
	}
	serializer := protobuf.NewSerializer(scheme, scheme)
	var wire bytes.Buffer
	if err := serializer.Encode(object, &wire); err != nil {
		return answer{}, err
	}
	decoded, _, err := serializer.Decode(wire.Bytes(), nil, nil)
	if err != nil {
		return answer{}, err
	}
	text, err := json.Marshal(decoded)
	return answer{Protobuf: wire.Bytes(), JSON: text}, err
}

func main() {
	scheme := newScheme()
	input := bufio.NewReaderSize(os.Stdin, 1<<20)
	output := json.NewEncoder(os.Stdout)
	for {
		line, err := input.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return
		}
		result, err := convert(scheme, line)
		if err != nil {
			result = answer{Error: err.Error()}
		}
		if err := output.Encode(result); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
