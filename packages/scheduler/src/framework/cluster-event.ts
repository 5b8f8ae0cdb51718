/** Something that may make room, or a match, for a pod that could not be scheduled. */
export type ClusterEvent =
  | 'NodeAdd'
  | 'NodeAllocatable'
  | 'NodeLabel'
  | 'NodeTaint'
  /** A bound pod came, or its labels changed. */
  | 'AssignedPodAdd'
  | 'AssignedPodUpdate'
  | 'AssignedPodDelete'
  | 'NamespaceUpdate'
  | 'ClaimChange'
  | 'VolumeChange'
  | 'StorageClassChange'
  | 'CsiNodeChange'
  | 'CsiDriverChange'
  | 'StorageCapacityChange'
  | 'VolumeAttachmentDelete'
  /** A claim for devices has changed; or, for those that do not have it, its devices have become free. */
  | 'ResourceClaimChange'
  | 'ResourceSliceChange'
  | 'DeviceClassChange'
  /** The pod itself was changed. */
  | 'PodUpdate';
