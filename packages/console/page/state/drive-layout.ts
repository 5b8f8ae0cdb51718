import type { DriveItem, VolumeItem } from '../../src/protocol.ts';

/** A part of a drive's bar. Shares are of its whole size, 0 to 1. */
export interface Segment {
  readonly volume: VolumeItem | undefined;
  readonly share: number;
  /** How much of the volume itself is in use, 0 to 1. */
  readonly used: number;
}

export interface DriveLayout {
  readonly segments: readonly Segment[];
  readonly freeShare: number;
}

/** How a drive's bar is divided: its volumes in their order, what is allocated without a volume that is known, and free. */
export function layOutDrive(drive: DriveItem, volumes: readonly VolumeItem[]): DriveLayout {
  const total = Math.max(drive.totalBytes, 1);
  const allocated = clamp(drive.allocatedBytes / total);
  const claimed = volumes.reduce((sum, volume) => sum + volume.totalBytes, 0);
  // The figures are of different moments: what they sum up to must still fit the bar.
  const scale = Math.min(1, total / Math.max(claimed, 1));
  const segments: Segment[] = volumes.map((volume) => ({
    volume,
    share: (volume.totalBytes / total) * scale,
    used: volume.totalBytes > 0 ? clamp(volume.usedBytes / volume.totalBytes) : 0,
  }));
  const known = segments.reduce((sum, { share }) => sum + share, 0);
  const unknown = allocated - known;
  if (unknown > 0.001) segments.push({ volume: undefined, share: unknown, used: 0 });
  const filled = segments.reduce((sum, { share }) => sum + share, 0);
  return { segments, freeShare: clamp(1 - filled) };
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share));
}

/** What people must know of a drive, worst first; undefined when all is well. */
export function troubleOf(drive: DriveItem): string | undefined {
  if (drive.problem !== undefined) return drive.problem;
  if (drive.status !== 'Ready') return `The drive is ${drive.status.toLowerCase()}.`;
  if (drive.readOnly) return 'The drive is read-only: what writes to its volumes fails.';
  return undefined;
}
