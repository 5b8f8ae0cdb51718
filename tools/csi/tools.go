//go:build tools

// Package tools pins where the protocols between processes of one machine come from: the CSI specification, the
// kubelet's plugin registration, and the container runtime interface. Spec 1.13 takes the volume condition out, which kubelets read; hence 1.12.
package tools

import (
	_ "github.com/container-storage-interface/spec/lib/go/csi"
	_ "k8s.io/cri-api/pkg/apis/runtime/v1"
	_ "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)
