import { apiVersionOf, type KubeObject, type ResourceType, type Served } from '@windlass/apimachinery';
import {
  claimsOfVolumes,
  DirectPVDrive,
  DirectPVVolume,
  driveNotes,
  driveState,
  LABELS,
  nodeOfDrive,
  volumeNotes,
  volumeState,
  volumesOfDrive,
} from '@windlass/directpv';
import { EXIT_FAILED, EXIT_OK } from '../command-line/exit.ts';
import { formatBytes } from '../command-line/format-bytes.ts';
import type { AdminCall } from './admin-call.ts';
import type { AdminCommand, Flag } from './admin-command.ts';
import { titleOf } from './outcomes.ts';
import {
  ALL,
  DRIVE_ID,
  DRIVE_STATUS,
  DRIVES,
  driveQuery,
  isSelective,
  LABELS_FLAG,
  NODES,
  POD_NAMES,
  POD_NAMESPACES,
  selectDrives,
  selectVolumes,
  VOLUME_STATUS,
  volumeQuery,
} from './selection.ts';
import { renderTable } from './table.ts';

const OUTPUT: Flag = { name: 'output', short: 'o', value: 'FORMAT', text: 'json, yaml or wide' };
const NO_HEADERS: Flag = { name: 'no-headers', text: 'plain columns of one word each, for scripts' };
const SHOW_LABELS: Flag = { name: 'show-labels', text: 'with a column of labels' };

const drives: AdminCommand = {
  name: 'drives',
  aliases: ['drive', 'dr'],
  summary: 'show drives',
  positionals: '[DRIVE-ID...]',
  about: 'Without a selection it shows drives that are ready; --all shows the others too.',
  flags: [NODES, DRIVES, OUTPUT, NO_HEADERS, DRIVE_STATUS, SHOW_LABELS, LABELS_FLAG, ALL],
  examples: ['', '--all', '--nodes=node-{1...4} --status=lost,error', '-o wide', '--labels tier=hot -o yaml'],
  async run(call) {
    const format = call.outputFormat();
    const ids = call.positionals;
    const query = driveQuery(call, ids);
    const isDefault = !isSelective(call, ids) && !call.has('all');
    const { items, isComplete } = await selectDrives(
      call,
      ids,
      // A selection by place alone still means those that work, as it does without one.
      isDefault || onlyPlaces(call, ids) ? { ...query, statuses: ['Ready'] } : query,
    );
    if (format === 'json' || format === 'yaml') call.printData(listOf(DirectPVDrive, items), format);
    else if (items.length > 0) {
      call.print(driveTable(call, items, format === 'wide'));
      if (format !== 'wide')
        for (const drive of items)
          for (const note of driveNotes(drive)) call.note(`${titleOf(drive)}: ${note}`);
    }
    return isComplete ? EXIT_OK : EXIT_FAILED;
  },
};

const volumes: AdminCommand = {
  name: 'volumes',
  aliases: ['volume', 'vol'],
  summary: 'show volumes',
  positionals: '[VOLUME...]',
  about: 'Without a selection it shows volumes that are ready; --all shows the others too.',
  flags: [
    NODES,
    DRIVES,
    OUTPUT,
    NO_HEADERS,
    DRIVE_ID,
    POD_NAMES,
    POD_NAMESPACES,
    { name: 'pvc', text: 'with a column of claims' },
    VOLUME_STATUS,
    SHOW_LABELS,
    LABELS_FLAG,
    ALL,
  ],
  examples: ['', '--all --pvc', '--pod-namespaces=tenant-{1...3}', '--drive-id 2f1c…', '-o wide'],
  async run(call) {
    const format = call.outputFormat();
    const ids = call.positionals;
    const query = volumeQuery(call, ids);
    const isDefault = !isSelective(call, ids) && !call.has('all');
    const { items, isComplete } = await selectVolumes(
      call,
      ids,
      isDefault || onlyPlaces(call, ids) ? { ...query, statuses: ['Ready'] } : query,
    );
    if (format === 'json' || format === 'yaml') call.printData(listOf(DirectPVVolume, items), format);
    else if (items.length > 0) {
      call.print(await volumeTable(call, items, format === 'wide'));
      for (const volume of items)
        for (const note of volumeNotes(volume)) call.note(`${titleOf(volume)}: ${note}`);
    }
    return isComplete ? EXIT_OK : EXIT_FAILED;
  },
};

export const listCommand: AdminCommand = {
  name: 'list',
  summary: 'show drives or volumes',
  subcommands: [drives, volumes],
  examples: ['drives', 'volumes --all'],
};

function onlyPlaces(call: AdminCall, ids: readonly string[]): boolean {
  return !call.has('all') && ids.length === 0 && call.list('status').length === 0;
}

function listOf<T extends KubeObject>(type: ResourceType<T>, items: readonly T[]): object {
  const apiVersion = apiVersionOf(type);
  return {
    apiVersion,
    kind: `${type.kind}List`,
    items: items.map((item) => ({ ...item, apiVersion, kind: type.kind })),
  };
}

const labelsText = ({ metadata }: KubeObject): string =>
  Object.entries(metadata?.labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',');

const orDash = (value: number, format: (value: number) => string = String): string =>
  value === 0 ? '-' : format(value);

function driveTable(call: AdminCall, items: readonly Served<DirectPVDrive>[], isWide: boolean): string {
  const withLabels = call.has('show-labels');
  const names = ['DRIVE ID', 'NODE', 'NAME', 'MAKE', 'SIZE', 'FREE', 'VOLUMES', 'STATUS'];
  if (isWide) names.push('ALLOCATED', 'TIER', 'RACK', 'ZONE', 'REGION', 'PROBLEM');
  if (withLabels) names.push('LABELS');
  const rows = items.map((drive) => {
    const { status, metadata } = drive;
    const row = [
      metadata.name,
      nodeOfDrive(drive),
      metadata?.labels?.[LABELS.driveName] ?? '',
      status.make ?? '',
      orDash(status.totalCapacity, formatBytes),
      orDash(status.freeCapacity, formatBytes),
      orDash(volumesOfDrive(drive).length),
      driveState(drive),
    ];
    if (isWide)
      row.push(
        orDash(status.allocatedCapacity, formatBytes),
        metadata?.labels?.[LABELS.accessTier] ?? '',
        ...[LABELS.rack, LABELS.zone, LABELS.region].map((key) => status.topology[key] ?? ''),
        driveNotes(drive).join('; '),
      );
    if (withLabels) row.push(labelsText(drive));
    return row;
  });
  return renderTable(names, rows, { headers: !call.has('no-headers') });
}

async function volumeTable(
  call: AdminCall,
  items: readonly Served<DirectPVVolume>[],
  isWide: boolean,
): Promise<string> {
  const withLabels = call.has('show-labels');
  const claims = call.has('pvc')
    ? await claimsOfVolumes(await call.client(), { signal: call.signal })
    : undefined;
  const names = ['VOLUME', 'CAPACITY', 'NODE', 'DRIVE', 'PODNAME', 'PODNAMESPACE', 'STATUS'];
  if (isWide) names.push('DRIVE ID');
  if (claims !== undefined) names.push('PVC');
  if (withLabels) names.push('LABELS');
  const rows = items.map((volume) => {
    const { name, labels = {} } = volume.metadata;
    const row = [
      name,
      formatBytes(volume.status.totalCapacity),
      ...[LABELS.node, LABELS.driveName, LABELS.podName, LABELS.podNamespace].map((key) => labels[key] ?? ''),
      volumeState(volume),
    ];
    if (isWide) row.push(volume.status.fsuuid);
    if (claims !== undefined) row.push(claims.get(name) ?? '');
    if (withLabels) row.push(labelsText(volume));
    return row;
  });
  return renderTable(names, rows, { headers: !call.has('no-headers') });
}
