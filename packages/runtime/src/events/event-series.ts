import { formatMicroTime, type ObjectReference } from '@windlass/apimachinery';
import type { Event } from '@windlass/apimachinery/api/events/v1';
import type { Clock, Random } from '@windlass/base';
import { cut } from './event-text.ts';

export const MAX_WORD_BYTES = 128;
const MAX_NOTE_BYTES = 1024;
const COMBINED = '(combined from similar events): ';

/** One event that was told, and all that were like it since. */
export interface Series {
  readonly id: string;
  event: Event;
  count: number;
  lastAt: number;
  /** Of `count`, how many the server knows. */
  writtenCount: number;
  writtenAt: number;
  /** Whether the server has it. */
  isCreated: boolean;
  isQueued: boolean;
}

export interface NewSeries {
  readonly id: string;
  readonly controller: string;
  readonly instance: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly regarding: ObjectReference;
  readonly related: ObjectReference | undefined;
  /** Whether it stands for many events that differ. */
  readonly isCombined: boolean;
}

export interface TimeAndRandom {
  readonly clock: Clock;
  readonly random: Random;
}

/** A series of one event, which the server does not know yet. */
export function newSeries(facts: NewSeries, sources: TimeAndRandom): Series {
  const { id, controller, instance, type, reason, action, note, regarding, related, isCombined } = facts;
  const { clock } = sources;
  return {
    id,
    event: {
      metadata: eventMetadata(regarding, sources),
      eventTime: formatMicroTime(clock.now()),
      reportingController: controller,
      reportingInstance: instance,
      type,
      reason: cut(reason, MAX_WORD_BYTES),
      action: cut(action, MAX_WORD_BYTES),
      note: cut(isCombined ? `${COMBINED}${note}` : note, MAX_NOTE_BYTES),
      regarding,
      ...(related !== undefined && !isCombined && { related }),
    },
    count: 1,
    lastAt: clock.monotonic(),
    writtenCount: 0,
    writtenAt: clock.monotonic(),
    isCreated: false,
    isQueued: false,
  };
}

/** A name of its own for an event about the object, in the namespace of that. */
export function eventMetadata(
  regarding: ObjectReference,
  { clock, random }: TimeAndRandom,
): NonNullable<Event['metadata']> {
  const stamp = BigInt(Math.floor(clock.now() * 1000)).toString(16);
  const tail = random.int(0x1_0000).toString(16).padStart(4, '0');
  const name = `${regarding.name ?? 'unnamed'}.${stamp}${tail}`;
  return {
    // A name that no object may have could come from a test or a virtual object.
    name: /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name) && name.length <= 253 ? name : random.uuid(),
    namespace: regarding.namespace ?? 'default',
  };
}
