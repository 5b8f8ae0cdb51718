import { cleanVolumes, resumeVolumes, suspendVolumes } from '@windlass/directpv';
import { EXIT_FAILED } from '../command-line/exit.ts';
import type { AdminCall } from './admin-call.ts';
import type { AdminCommand } from './admin-command.ts';
import { suspendResume } from './change-drives.ts';
import { report, type Wording } from './outcomes.ts';
import {
  ALL,
  DANGEROUS,
  DRIVE_ID,
  DRIVES,
  DRY_RUN,
  NODES,
  POD_NAMES,
  POD_NAMESPACES,
  requireSelection,
  selectVolumes,
} from './selection.ts';

async function changeVolumes(
  call: AdminCall,
  change: typeof suspendVolumes,
  wording: Wording,
): Promise<number> {
  requireSelection(call, call.positionals);
  const { items, isComplete } = await selectVolumes(call, call.positionals);
  const outcomes = await change(await call.client(), items, {
    dryRun: call.has('dry-run'),
    signal: call.signal,
  });
  return report(call, outcomes, wording, isComplete);
}

export const cleanCommand: AdminCommand = {
  name: 'clean',
  summary: 'delete volumes that no persistent volume needs',
  positionals: '[VOLUME...]',
  about: `Deletes volumes, and their data, whose PersistentVolume is gone, Released or Failed. Others are left alone.
--dangerous is needed.`,
  flags: [NODES, DRIVES, ALL, DRY_RUN, DRIVE_ID, POD_NAMES, POD_NAMESPACES, DANGEROUS],
  examples: [
    '--all --dry-run',
    '--all --dangerous',
    'pvc-1234 --dangerous',
    '--pod-namespaces=tenant-{1...3} --dangerous',
  ],
  async run(call) {
    requireSelection(call, call.positionals);
    call.requireDangerous('clean deletes the data of volumes');
    const { items, isComplete } = await selectVolumes(call, call.positionals);
    if (items.length === 0) return EXIT_FAILED;
    const outcomes = await cleanVolumes(await call.client(), items, {
      dryRun: call.has('dry-run'),
      signal: call.signal,
    });
    if (outcomes.length === 0)
      call.complain('no volume can be cleaned: each of them has a PersistentVolume that needs it');
    return report(call, outcomes, { done: 'cleaned', before: 'is clean' }, isComplete && outcomes.length > 0);
  },
};

const SELECTION = [NODES, DRIVES, POD_NAMES, POD_NAMESPACES, DRY_RUN];

const suspendedVolumes: AdminCommand = {
  name: 'volumes',
  aliases: ['volume', 'vol'],
  summary: 'let pods start without their volumes',
  positionals: '[VOLUME...]',
  about: `Pods that start from now on find an empty, read-only directory in place of the volume.
--dangerous is needed.`,
  flags: [...SELECTION, DANGEROUS],
  examples: ['pvc-1234 --dangerous', '--pod-names=minio-{0...3} --pod-namespaces=tenant --dangerous'],
  async run(call) {
    requireSelection(call, call.positionals);
    call.requireDangerous('suspended volumes hide their data from pods');
    return changeVolumes(call, suspendVolumes, { done: 'suspended', before: 'was suspended already' });
  },
};

const resumedVolumes: AdminCommand = {
  name: 'volumes',
  aliases: ['volume', 'vol'],
  summary: 'give pods their volumes again',
  positionals: '[VOLUME...]',
  about: 'Pods that run keep what they have; delete them, and those that follow get their volumes.',
  flags: SELECTION,
  examples: ['pvc-1234', '--pod-namespaces=tenant'],
  run: (call) => changeVolumes(call, resumeVolumes, { done: 'resumed', before: 'was not suspended' }),
};

export const suspendCommand: AdminCommand = {
  name: 'suspend',
  summary: 'let pods start without some volumes',
  subcommands: [suspendResume.suspendedDrives, suspendedVolumes],
  examples: ['drives 2f1c… --dangerous', 'volumes pvc-1234 --dangerous'],
};

export const resumeCommand: AdminCommand = {
  name: 'resume',
  summary: 'give pods those volumes again',
  subcommands: [suspendResume.resumedDrives, resumedVolumes],
  examples: ['drives 2f1c…', 'volumes pvc-1234'],
};
