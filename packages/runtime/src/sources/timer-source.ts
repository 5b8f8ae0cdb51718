import { type Clock, InvalidArgumentError, realClock, type Timer, toError } from '@windlass/base';
import { ALWAYS_SYNCED } from './channel-source.ts';
import type { Source } from './source.ts';

/** Which keys are due, and how often. */
export interface TimerSourceOptions<K> {
  readonly name: string;
  /** How often, in milliseconds. */
  readonly everyMs: number;
  /** Which keys; asked each time. */
  readonly keys: () => Iterable<K>;
  /** Also at the start. @default false */
  readonly immediately?: boolean;
  /** @default 0 */
  readonly priority?: number;
  /** @default the machine's */
  readonly clock?: Clock;
}

/** Keys at regular times. A time that is missed is not made up for. */
export function timerSource<K = string>(options: TimerSourceOptions<K>): Source<K> {
  const { name, everyMs, keys, immediately = false, priority = 0, clock = realClock } = options;
  if (!(Number.isFinite(everyMs) && everyMs > 0))
    throw new InvalidArgumentError('everyMs', everyMs, 'a finite number above 0');
  return {
    name,
    start(sink) {
      let timer: Timer | undefined;
      const fire = (): void => {
        timer = clock.setTimeout(fire, everyMs);
        try {
          for (const key of keys()) sink.add(key, { type: 'timer', source: name }, priority);
        } catch (thrown) {
          sink.logger.error('keys() of a timer threw; it is asked again the next time', {
            error: toError(thrown),
          });
        }
      };
      if (immediately) fire();
      else timer = clock.setTimeout(fire, everyMs);
      return { ...ALWAYS_SYNCED, stop: async () => timer?.cancel() };
    },
  };
}
