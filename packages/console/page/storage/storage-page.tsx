import { useState } from 'preact/hooks';
import type { DriveItem, VolumeItem } from '../../src/protocol.ts';
import { useConsole } from '../context.ts';
import { Empty } from '../parts/empty.tsx';
import { Filter } from '../parts/filter.tsx';
import { troubleOf } from '../state/drive-layout.ts';
import { bytes, counted } from '../state/format.ts';
import { compareNames } from '../state/names.ts';
import { useTopic } from '../topic.ts';
import { DriveRow } from './drive-row.tsx';

export function StoragePage() {
  const { cluster, onCluster } = useConsole();
  const [text, setText] = useState('');
  useTopic(onCluster, 250);
  const wanted = text.toLowerCase();
  const volumes = groupBy(cluster.volumes(), ({ drive }) => drive);
  const all = cluster.drives();
  const drives = all.filter(
    (drive) => wanted === '' || mentions(drive, volumes.get(drive.key) ?? [], wanted),
  );
  const nodes = groupBy(drives, ({ node }) => node);
  return (
    <>
      <h1 class="sr">Storage</h1>
      <Summary drives={all} volumeCount={cluster.volumes().length} />
      <div class="bar">
        <Filter label="Filter drives, volumes and pods" value={text} change={setText} />
        <span class="legend" aria-hidden="true">
          <i class="segment-key used" /> used <i class="segment-key" /> allocated{' '}
          <i class="segment-key free" /> free
        </span>
      </div>
      {drives.length === 0 && (
        <Empty>
          {text === ''
            ? 'There are no drives. `kubectl directpv discover` finds those of the nodes, and `init` takes them over.'
            : `Nothing has “${text}” in its name. Esc clears the filter.`}
        </Empty>
      )}
      <div class="storage">
        {[...nodes].sort(byNode).map(([node, ofNode]) => (
          <section key={node} class="node" data-node={node}>
            <header>
              <h2>{node}</h2>
              <span class="note">{counted(ofNode.length, 'drive')}</span>
            </header>
            {ofNode.sort(byName).map((drive) => (
              <DriveRow key={drive.key} drive={drive} volumes={volumes.get(drive.key) ?? NO_VOLUMES} />
            ))}
          </section>
        ))}
      </div>
    </>
  );
}

const NO_VOLUMES: readonly VolumeItem[] = [];

function Summary({ drives, volumeCount }: { drives: readonly DriveItem[]; volumeCount: number }) {
  const total = drives.reduce((sum, drive) => sum + drive.totalBytes, 0);
  const allocated = drives.reduce((sum, drive) => sum + drive.allocatedBytes, 0);
  const free = drives.reduce((sum, drive) => sum + drive.freeBytes, 0);
  const troubled = drives.filter((drive) => troubleOf(drive) !== undefined).length;
  return (
    <dl class="summary">
      <div>
        <dt>Drives</dt>
        <dd>
          <span data-figure="drives">{drives.length}</span>
          {troubled > 0 && <span class="bad"> {counted(troubled, 'problem')}</span>}
        </dd>
      </div>
      <div>
        <dt>Volumes</dt>
        <dd data-figure="volumes">{volumeCount}</dd>
      </div>
      <div>
        <dt>Capacity</dt>
        <dd>{bytes(total)}</dd>
      </div>
      <div>
        <dt>Allocated</dt>
        <dd>{bytes(allocated)}</dd>
      </div>
      <div>
        <dt>Free</dt>
        <dd>{bytes(free)}</dd>
      </div>
    </dl>
  );
}

function byNode([a]: [string, unknown], [b]: [string, unknown]): number {
  return compareNames(a, b);
}

/** Keys are UUIDs, and tell people nothing. */
function byName(a: DriveItem, b: DriveItem): number {
  return compareNames(a.name, b.name);
}

function groupBy<T>(items: readonly T[], groupOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const name = groupOf(item);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [item]);
    else group.push(item);
  }
  return groups;
}

function mentions(drive: DriveItem, volumes: readonly VolumeItem[], text: string): boolean {
  const names = [drive.key, drive.name, drive.node, drive.status];
  for (const volume of volumes) names.push(volume.key, volume.pod ?? '');
  return names.some((name) => name.toLowerCase().includes(text));
}
