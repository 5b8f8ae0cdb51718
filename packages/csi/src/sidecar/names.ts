// Names that Kubernetes' own parts and the usual sidecars read and write.

/** On a claim, by the volume binder: which provisioner is to make its volume. */
const STORAGE_PROVISIONER = 'volume.kubernetes.io/storage-provisioner';
const BETA_STORAGE_PROVISIONER = 'volume.beta.kubernetes.io/storage-provisioner';
/** On a claim, by the scheduler: where its first pod is to run. */
export const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
/** On a volume: who made it, and so who deletes it. */
export const PROVISIONED_BY = 'pv.kubernetes.io/provisioned-by';
export const DELETION_SECRET_NAME = 'volume.kubernetes.io/provisioner-deletion-secret-name';
export const DELETION_SECRET_NAMESPACE = 'volume.kubernetes.io/provisioner-deletion-secret-namespace';
/** On a volume that is to be deleted with its storage: it stays until the storage is gone. */
export const VOLUME_FINALIZER = 'external-provisioner.volume.kubernetes.io/finalizer';
/**
 * On a claim for which there may be storage that no volume object tells of yet. Without it, a claim that is
 * deleted while the provisioner is away would leave its storage behind for ever.
 */
export const PENDING_FINALIZER = 'windlass.dev/provisioning';

interface Annotated {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } | undefined;
}

export const annotation = (object: Annotated, name: string): string | undefined =>
  object.metadata?.annotations?.[name];

/** The driver that the claim waits for. */
export const provisionerOf = (claim: Annotated): string | undefined =>
  annotation(claim, STORAGE_PROVISIONER) ?? annotation(claim, BETA_STORAGE_PROVISIONER);
