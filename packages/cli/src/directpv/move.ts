import { moveVolumes } from '@windlass/directpv';
import { EXIT_OK, UsageError } from '../command-line/exit.ts';
import type { AdminCommand } from './admin-command.ts';
import { titleOf } from './outcomes.ts';
import { DANGEROUS, DRY_RUN } from './selection.ts';

export const moveCommand: AdminCommand = {
  name: 'move',
  aliases: ['mv'],
  summary: 'move the volumes of a drive to another of the same node',
  positionals: 'SOURCE-DRIVE-ID DESTINATION-DRIVE-ID',
  about: `Both drives must be cordoned, of one node and one access tier, and no pod may use a volume of the
source. The node copies the data; the destination is Moving until it is done. Volumes of a source that
is dead begin empty. --dangerous is needed.`,
  flags: [DRY_RUN, DANGEROUS],
  examples: ['2f1c… 77ab… --dangerous', '2f1c… 77ab… --dry-run'],
  async run(call) {
    const [source, destination, ...more] = call.positionals;
    if (source === undefined || destination === undefined || more.length > 0)
      throw new UsageError('name two drives by their ids: the source, then the destination');
    call.requireDangerous('move takes volumes from one drive to another');
    const { volumes, destination: moved } = await moveVolumes(await call.client(), source, destination, {
      dryRun: call.has('dry-run'),
      signal: call.signal,
    });
    const verb = call.has('dry-run') ? 'would move' : 'moves';
    for (const volume of volumes) call.print(`${titleOf(volume)} ${verb} to ${titleOf(moved)}\n`);
    return EXIT_OK;
  },
};
