import type { DriveItem, VolumeItem } from '../../src/protocol.ts';
import { layOutDrive, type Segment, troubleOf } from '../state/drive-layout.ts';
import { bytes } from '../state/format.ts';
import { objectLink } from '../state/route.ts';

/** A drive as a bar that fills, its volumes as segments. */
export function DriveRow({ drive, volumes }: { drive: DriveItem; volumes: readonly VolumeItem[] }) {
  const { segments } = layOutDrive(drive, volumes);
  const trouble = troubleOf(drive);
  const ill = volumes.filter(({ problem }) => problem !== undefined);
  return (
    <div class={`drive ${trouble === undefined ? '' : 'is-troubled'}`} data-drive={drive.key}>
      <p class="head">
        <a href={objectLink('DirectPVDrive', drive.key)} data-item>
          {drive.name}
        </a>
        {drive.status === 'Ready' ? (
          <span class="state-ok">Ready</span>
        ) : (
          <span class="bad">! {drive.status}</span>
        )}
        {drive.readOnly && <span class="tag warn">read-only</span>}
        {drive.cordoned && <span class="tag">cordoned</span>}
        <span class="note">
          <b>{bytes(drive.freeBytes)}</b> free, {bytes(drive.allocatedBytes)} allocated of{' '}
          {bytes(drive.totalBytes)}
        </span>
      </p>
      <div class="drive-bar">
        {segments.map((segment, at) => (
          <VolumeSegment key={segment.volume?.key ?? at} segment={segment} />
        ))}
      </div>
      {trouble !== undefined && <p class="trouble">{trouble}</p>}
      {ill.map((volume) => (
        <p key={volume.key} class="trouble">
          <a href={objectLink('DirectPVVolume', volume.key)}>{volume.key}</a>
          {volume.pod !== undefined && ` of ${volume.pod}`}: {volume.problem}
        </p>
      ))}
    </div>
  );
}

function VolumeSegment({ segment: { volume, share, used } }: { segment: Segment }) {
  const width = `${(share * 100).toFixed(3)}%`;
  if (volume === undefined)
    return (
      <span class="segment unknown" style={{ width }} title="allocated, without a volume that is known" />
    );
  const text = `${volume.key}${volume.pod === undefined ? '' : ` of ${volume.pod}`}: ${volume.status}, ${bytes(volume.usedBytes)} used of ${bytes(volume.totalBytes)}`;
  return (
    <a
      class={`segment ${volume.problem === undefined ? '' : 'ill'}`}
      style={{ width }}
      href={objectLink('DirectPVVolume', volume.key)}
      title={text}
      aria-label={text}
      data-item
    >
      <i style={{ width: `${(used * 100).toFixed(1)}%` }} />
      <span>
        {volume.problem !== undefined && '! '}
        {shortName(volume.pod ?? volume.key)}
      </span>
    </a>
  );
}

/** Without the namespace: there is little room. */
function shortName(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}
