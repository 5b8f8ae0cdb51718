// Access modes and volume modes, in the words of the protocol.
import type { DeepReadonly } from '@windlass/apimachinery';
import type { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { MessageInit } from '@windlass/grpc';
import type { VolumeCapability, VolumeCapabilityAccessModeMode } from '../generated/csi.ts';
import { SidecarError } from './errors.ts';

/**
 * The one access mode that allows all of these. Drivers that can tell one writer from several on a node
 * (SINGLE_NODE_MULTI_WRITER) get the finer modes.
 */
export function accessModeOf(
  modes: readonly string[],
  tellsWritersApart: boolean,
): VolumeCapabilityAccessModeMode {
  const has = (mode: string): boolean => modes.includes(mode);
  if (has('ReadWriteMany')) return 'MULTI_NODE_MULTI_WRITER';
  if (has('ReadOnlyMany'))
    return has('ReadWriteOnce') ? 'MULTI_NODE_SINGLE_WRITER' : 'MULTI_NODE_READER_ONLY';
  if (has('ReadWriteOncePod')) return tellsWritersApart ? 'SINGLE_NODE_SINGLE_WRITER' : 'SINGLE_NODE_WRITER';
  if (has('ReadWriteOnce')) return tellsWritersApart ? 'SINGLE_NODE_MULTI_WRITER' : 'SINGLE_NODE_WRITER';
  throw new SidecarError(`the access modes [${modes.join(', ')}] have no form in CSI`);
}

export interface CapabilityFacts {
  readonly fsType: string;
  readonly mountOptions: readonly string[];
  readonly tellsWritersApart: boolean;
}

/** One for each access mode of the claim. */
export function claimCapabilities(
  claim: DeepReadonly<PersistentVolumeClaim>,
  facts: CapabilityFacts,
): MessageInit<VolumeCapability>[] {
  const modes = claim.spec?.accessModes ?? [];
  if (modes.length === 0) throw new SidecarError('the claim has no access mode');
  return modes.map((mode) => capability([mode], claim.spec?.volumeMode, facts));
}

/** The one capability of a volume, for calls about it. */
export function volumeCapability(
  volume: DeepReadonly<PersistentVolume>,
  tellsWritersApart: boolean,
): MessageInit<VolumeCapability> {
  const { accessModes = [], volumeMode, csi, mountOptions = [] } = volume.spec ?? {};
  return capability(accessModes, volumeMode, { fsType: csi?.fsType ?? '', mountOptions, tellsWritersApart });
}

function capability(
  modes: readonly string[],
  volumeMode: string | undefined,
  { fsType, mountOptions, tellsWritersApart }: CapabilityFacts,
): MessageInit<VolumeCapability> {
  const accessMode = { mode: accessModeOf(modes, tellsWritersApart) };
  if (volumeMode === 'Block') return { block: {}, accessMode };
  return { mount: { fsType, mountFlags: mountOptions }, accessMode };
}
