//go:build tools

// Package tools pins the conformance suite that the real lane runs against our drivers.
package tools

import _ "github.com/kubernetes-csi/csi-test/v5/cmd/csi-sanity"
