// Names that the snapshot controller and the snapshotters of drivers share, whoever wrote them.

const PREFIX = 'snapshot.storage.kubernetes.io';

/** On a class: it is used where none is named. */
export const DEFAULT_CLASS = `${PREFIX}/is-default-class`;
/** On a content: a call to the driver may have made a snapshot that nobody has written down yet. */
export const BEING_CREATED = `${PREFIX}/volumesnapshot-being-created`;
/** On a content: its VolumeSnapshot goes or is gone, so that it may go, too. */
export const BEING_DELETED = `${PREFIX}/volumesnapshot-being-deleted`;
/** On a content: which secret the driver is given when the snapshot is deleted. */
export const DELETION_SECRET_NAME = `${PREFIX}/deletion-secret-name`;
export const DELETION_SECRET_NAMESPACE = `${PREFIX}/deletion-secret-namespace`;
/** On a content: a volume of another mode than the snapshot's may be made of it. */
export const ALLOW_MODE_CHANGE = `${PREFIX}/allow-volume-mode-change`;
export const YES = 'yes';

/** On a content: it stays until its driver has no more of it. */
export const CONTENT_FINALIZER = `${PREFIX}/volumesnapshotcontent-bound-protection`;
/** On a snapshot: it stays as long as its content is bound to it. */
export const BOUND_FINALIZER = `${PREFIX}/volumesnapshot-bound-protection`;
/** On a snapshot: it stays while a volume is made of it. */
export const SOURCE_FINALIZER = `${PREFIX}/volumesnapshot-as-source-protection`;
/** On a claim: it stays while a snapshot of it is made. */
export const CLAIM_FINALIZER = `${PREFIX}/pvc-as-source-protection`;

/** The content that is made for a snapshot. */
export const contentNameOf = (snapshotUid: string): string => `snapcontent-${snapshotUid}`;
/** What the driver is asked to call a snapshot. */
export const snapshotNameOf = (snapshotUid: string): string => `snapshot-${snapshotUid}`;
