import {
  cordonDrives,
  removeDrives,
  repairDrives,
  resumeDrives,
  suspendDrives,
  uncordonDrives,
} from '@windlass/directpv';
import type { AdminCall } from './admin-call.ts';
import type { AdminCommand } from './admin-command.ts';
import { report, type Wording } from './outcomes.ts';
import {
  ALL,
  DANGEROUS,
  DRIVE_STATUS,
  DRIVES,
  DRY_RUN,
  NODES,
  requireSelection,
  selectDrives,
} from './selection.ts';

type Change = typeof uncordonDrives;

/** Selects, changes, reports. */
async function changeDrives(call: AdminCall, change: Change, wording: Wording): Promise<number> {
  requireSelection(call, call.positionals);
  const { items, isComplete } = await selectDrives(call, call.positionals);
  const outcomes = await change(await call.client(), items, {
    dryRun: call.has('dry-run'),
    signal: call.signal,
  });
  return report(call, outcomes, wording, isComplete);
}

const SELECTION = [NODES, DRIVES, DRIVE_STATUS, ALL, DRY_RUN];

export const cordonCommand: AdminCommand = {
  name: 'cordon',
  summary: 'give drives no new volumes',
  positionals: '[DRIVE-ID...]',
  about: 'Refused for a drive with a volume that no pod has mounted yet.',
  flags: SELECTION,
  examples: ['2f1c…', '--nodes=node-1', '--all --dry-run'],
  run: (call) => changeDrives(call, cordonDrives, { done: 'cordoned', before: 'was cordoned already' }),
};

export const uncordonCommand: AdminCommand = {
  name: 'uncordon',
  summary: 'give drives new volumes again',
  positionals: '[DRIVE-ID...]',
  flags: SELECTION,
  examples: ['2f1c…', '--nodes=node-1', '--all'],
  run: (call) => changeDrives(call, uncordonDrives, { done: 'uncordoned', before: 'was not cordoned' }),
};

export const removeCommand: AdminCommand = {
  name: 'remove',
  summary: 'take drives out of use',
  positionals: '[DRIVE-ID...]',
  about: `The nodes unmount the drives and forget them; what is on them stays there, but belongs to nobody. Refused for
a drive that holds volumes. --dangerous is needed.`,
  flags: [...SELECTION, DANGEROUS],
  examples: ['2f1c… --dangerous', '--status=lost --dangerous', '--nodes=node-1 --dry-run'],
  async run(call) {
    requireSelection(call, call.positionals);
    call.requireDangerous('remove takes drives out of use');
    return changeDrives(call, removeDrives, { done: 'removed', before: 'was removed already' });
  },
};

const suspendedDrives: AdminCommand = {
  name: 'drives',
  aliases: ['drive', 'dr'],
  summary: 'let pods start without the volumes of drives',
  positionals: '[DRIVE-ID...]',
  about: `Pods that start from now on find an empty, read-only directory in place of each volume of the drives.
--dangerous is needed.`,
  flags: [NODES, DRIVES, DRY_RUN, DANGEROUS],
  examples: ['2f1c… --dangerous', '--nodes=node-1 --drives=sdb --dangerous'],
  async run(call) {
    requireSelection(call, call.positionals);
    call.requireDangerous('suspended drives hide the data of their volumes from pods');
    return changeDrives(call, suspendDrives, { done: 'suspended', before: 'was suspended already' });
  },
};

const resumedDrives: AdminCommand = {
  name: 'drives',
  aliases: ['drive', 'dr'],
  summary: 'give pods the volumes of drives again',
  positionals: '[DRIVE-ID...]',
  about: 'Pods that run keep what they have; delete them, and those that follow get their volumes.',
  flags: [NODES, DRIVES, DRY_RUN],
  examples: ['2f1c…', '--nodes=node-1 --drives=sdb'],
  run: (call) => changeDrives(call, resumeDrives, { done: 'resumed', before: 'was not suspended' }),
};

export const suspendResume = { suspendedDrives, resumedDrives } as const;

export const repairCommand: AdminCommand = {
  name: 'repair',
  summary: 'mend the file systems of drives',
  positionals: 'DRIVE-ID...',
  about: `The nodes unmount the drives, run xfs_repair and mount them again. A drive that is lost may be repaired, too,
while its device is there: a first superblock that is gone is made again from its copies.
A drive that a pod uses is refused. --dangerous is needed, but not with --check-only or --dry-run.`,
  flags: [
    DRY_RUN,
    { name: 'check-only', text: 'let the node look for damage, and change nothing on the drive' },
    { name: 'force', text: 'drop a journal that cannot be replayed; what was in it is lost' },
    { name: 'disable-prefetch', text: 'read nothing ahead, on machines with little memory' },
    DANGEROUS,
  ],
  examples: ['2f1c… --dangerous', '2f1c… --check-only', '2f1c… --force --dangerous'],
  async run(call) {
    requireSelection(call, call.positionals);
    const checkOnly = call.has('check-only');
    if (!checkOnly) call.requireDangerous('repair may lose what is damaged');
    const request = { checkOnly, force: call.has('force'), disablePrefetch: call.has('disable-prefetch') };
    return changeDrives(call, (client, drives, options) => repairDrives(client, drives, request, options), {
      done: checkOnly ? 'being checked' : 'being repaired',
      before: 'is being repaired already',
    });
  },
};
