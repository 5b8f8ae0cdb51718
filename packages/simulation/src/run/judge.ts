import { describe, toError } from '@windlass/base';
import type { Check } from '../simulation.ts';
import type { State } from '../state.ts';

/** Resolves when somebody has waited long enough, or at once when it is no longer asked for. */
export type Patience = (isOver: () => boolean) => Promise<void>;

/**
 * What an invariant says of a state: a sentence when something is wrong, also when that is the invariant itself.
 * @param patience how long it may take
 */
export async function judge(check: Check, state: State, patience: Patience): Promise<string | undefined> {
  let isOver = false;
  const asking = (async (): Promise<string | undefined> => {
    try {
      return sentenceOf(await check(state));
    } catch (error) {
      const { name: type, message } = toError(error);
      const isVerdict = type === 'AssertionError' || type === 'Error';
      return isVerdict ? message : `the invariant itself threw ${type}: ${message}`;
    } finally {
      isOver = true;
    }
  })();
  const waiting = patience(() => isOver).then(
    () => 'the invariant itself does not end; it may ask the server, and wait for nothing else',
  );
  return Promise.race([asking, waiting]);
}

/** Who answers with true or false means something by it, and must not be taken for one who has nothing to say. */
function sentenceOf(answer: unknown): string | undefined {
  if (answer === undefined || typeof answer === 'string') return answer;
  return `the invariant itself answered ${describe(answer)}; when something is wrong it must throw or answer with a sentence, and otherwise with nothing`;
}
