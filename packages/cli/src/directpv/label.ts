import { labelDrives, labelVolumes, parseLabelChanges } from '@windlass/directpv';
import { UsageError } from '../command-line/exit.ts';
import type { AdminCall } from './admin-call.ts';
import type { AdminCommand } from './admin-command.ts';
import { report } from './outcomes.ts';
import {
  ALL,
  DRIVE_ID,
  DRIVE_STATUS,
  DRIVES,
  DRY_RUN,
  IDS,
  LABELS_FLAG,
  NODES,
  POD_NAMES,
  POD_NAMESPACES,
  requireSelection,
  selectDrives,
  selectVolumes,
  VOLUME_STATUS,
} from './selection.ts';

const WORDING = { done: 'labelled', before: 'has these labels already' } as const;
const ABOUT = 'k=v sets a label, k- removes it. A key without a prefix gets directpv.min.io/.';

function changes(call: AdminCall, of: 'drives' | 'volumes') {
  if (call.positionals.length === 0) throw new UsageError('name a label: k=v sets it, k- removes it');
  return parseLabelChanges(call.positionals, of);
}

const drives: AdminCommand = {
  name: 'drives',
  aliases: ['drive', 'dr'],
  summary: 'label drives',
  positionals: 'k=v|k-...',
  about: `${ABOUT} Keys of the driver itself are refused, but for
access-tier, which may be Default, Warm, Hot or Cold.`,
  flags: [NODES, DRIVES, ALL, DRY_RUN, DRIVE_STATUS, IDS, LABELS_FLAG],
  examples: ['tier=hot --all', 'tier- --nodes=node-{1...4}', 'access-tier=hot --drives=nvme{0...3}n1'],
  async run(call) {
    const wanted = changes(call, 'drives');
    const ids = call.list('ids');
    requireSelection(call, []);
    const { items, isComplete } = await selectDrives(call, ids);
    const options = { dryRun: call.has('dry-run'), signal: call.signal };
    return report(call, await labelDrives(await call.client(), items, wanted, options), WORDING, isComplete);
  },
};

const volumes: AdminCommand = {
  name: 'volumes',
  aliases: ['volume', 'vol'],
  summary: 'label volumes',
  positionals: 'k=v|k-...',
  about: `${ABOUT} Keys of the driver itself are refused.`,
  flags: [NODES, DRIVES, ALL, DRY_RUN, DRIVE_ID, POD_NAMES, POD_NAMESPACES, VOLUME_STATUS, LABELS_FLAG, IDS],
  examples: ['tenant=a --pod-namespaces=a', 'tenant- --all'],
  async run(call) {
    const wanted = changes(call, 'volumes');
    const ids = call.list('ids');
    requireSelection(call, []);
    const { items, isComplete } = await selectVolumes(call, ids);
    const options = { dryRun: call.has('dry-run'), signal: call.signal };
    return report(call, await labelVolumes(await call.client(), items, wanted, options), WORDING, isComplete);
  },
};

export const labelCommand: AdminCommand = {
  name: 'label',
  summary: 'label drives or volumes',
  subcommands: [drives, volumes],
  examples: ['drives tier=hot --all', 'volumes tenant=a --pod-namespaces=a'],
};
