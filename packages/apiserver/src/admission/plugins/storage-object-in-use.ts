import type { AdmissionPlugin } from '../admission.ts';

const FINALIZERS: Readonly<Record<string, string>> = {
  persistentvolumeclaims: 'kubernetes.io/pvc-protection',
  persistentvolumes: 'kubernetes.io/pv-protection',
};

/** A claim or a volume does not go while somebody uses it: a controller takes the finalizer away. */
export const storageObjectInUse: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  handles: ({ definition, operation, subresource }) =>
    operation === 'CREATE' &&
    subresource === '' &&
    definition.group === '' &&
    Object.hasOwn(FINALIZERS, definition.plural),
  mutate({ object, definition }) {
    const finalizer = FINALIZERS[definition.plural];
    if (object === undefined || finalizer === undefined) return;
    object.metadata ??= {};
    const finalizers = object.metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) object.metadata.finalizers = [...finalizers, finalizer];
  },
};
