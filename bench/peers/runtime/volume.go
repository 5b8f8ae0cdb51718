package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var volumes = schema.GroupVersion{Group: "directpv.min.io", Version: "v1beta1"}

// DirectPVVolume as kubebuilder would have it.
type DirectPVVolume struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Status            VolumeStatus `json:"status,omitempty"`
}

type VolumeStatus struct {
	AvailableCapacity int64  `json:"availableCapacity"`
	DataPath          string `json:"dataPath"`
	FSUUID            string `json:"fsuuid"`
	StagingTargetPath string `json:"stagingTargetPath"`
	Status            string `json:"status"`
	TargetPath        string `json:"targetPath"`
	TotalCapacity     int64  `json:"totalCapacity"`
	UsedCapacity      int64  `json:"usedCapacity"`
}

func (v *DirectPVVolume) DeepCopyObject() runtime.Object {
	out := &DirectPVVolume{TypeMeta: v.TypeMeta, Status: v.Status}
	v.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return out
}

type DirectPVVolumeList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []DirectPVVolume `json:"items"`
}

func (l *DirectPVVolumeList) DeepCopyObject() runtime.Object {
	out := &DirectPVVolumeList{TypeMeta: l.TypeMeta}
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	for index := range l.Items {
		out.Items = append(out.Items, *l.Items[index].DeepCopyObject().(*DirectPVVolume))
	}
	return out
}
