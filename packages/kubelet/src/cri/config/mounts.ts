import type { DeepReadonly } from '@windlass/apimachinery';
import type { VolumeMount } from '@windlass/apimachinery/api/core/v1';
import type { MessageInit } from '@windlass/grpc';
import type { Mount, MountPropagation } from '../generated/cri.ts';

/** A file or a folder of the machine, and where a container sees it. */
export function mountOf(
  { mountPath, readOnly = false, recursiveReadOnly, mountPropagation }: DeepReadonly<VolumeMount>,
  hostPath: string,
): MessageInit<Mount> {
  return {
    // What is not absolute counts from the root.
    containerPath: mountPath.startsWith('/') ? mountPath : `/${mountPath}`,
    hostPath,
    readonly: readOnly,
    recursiveReadOnly: recursiveReadOnly === 'Enabled',
    propagation: propagationOf(mountPropagation),
  };
}

function propagationOf(wanted: string | undefined): MountPropagation {
  if (wanted === 'Bidirectional') return 'PROPAGATION_BIDIRECTIONAL';
  return wanted === 'HostToContainer' ? 'PROPAGATION_HOST_TO_CONTAINER' : 'PROPAGATION_PRIVATE';
}

/** The agent's own files in a container: unless the pod mounts something of its own there. */
export function ownMounts(
  mounts: DeepReadonly<VolumeMount[]>,
  files: { readonly hosts: string | undefined; readonly terminationLog: { path: string; file: string } },
): MessageInit<Mount>[] {
  const isTaken = (path: string): boolean => mounts.some(({ mountPath }) => mountPath === path);
  const { hosts, terminationLog } = files;
  return [
    ...(hosts === undefined || isTaken(HOSTS) ? [] : [{ containerPath: HOSTS, hostPath: hosts }]),
    ...(isTaken(terminationLog.path)
      ? []
      : [{ containerPath: terminationLog.path, hostPath: terminationLog.file }]),
  ];
}

const HOSTS = '/etc/hosts';
