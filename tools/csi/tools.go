//go:build tools

// Package tools pins where the storage protocols come from: the CSI specification, and the kubelet's
// plugin registration. Spec 1.13 takes the volume condition out, which kubelets read; hence 1.12.
package tools

import (
	_ "github.com/container-storage-interface/spec/lib/go/csi"
	_ "k8s.io/kubelet/pkg/apis/pluginregistration/v1"
)
