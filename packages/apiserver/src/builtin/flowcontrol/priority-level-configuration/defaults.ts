import type { PriorityLevelConfiguration } from '@windlass/apimachinery/api/flowcontrol/v1';
import type { DraftOf } from '../../../resource/views.ts';

export function setPriorityLevelDefaults({ spec }: DraftOf<PriorityLevelConfiguration>): void {
  const { exempt, limited } = spec ?? {};
  if (exempt !== undefined) {
    exempt.nominalConcurrencyShares ??= 0;
    exempt.lendablePercent ??= 0;
  }
  if (limited === undefined) return;
  limited.nominalConcurrencyShares ??= 30;
  limited.lendablePercent ??= 0;
  const queuing = limited.limitResponse?.queuing;
  if (queuing === undefined) return;
  queuing.handSize ||= 8;
  queuing.queues ||= 64;
  queuing.queueLengthLimit ||= 50;
}
