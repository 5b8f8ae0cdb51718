import { toError } from '@windlass/base';
import { difference, type EndState, endStateOf } from '../oracles/end-state.ts';
import type { SimulationOptions } from '../simulation.ts';
import type { Failure } from './failure.ts';
import { type Cluster, everMade, ownObjects } from './objects.ts';

/** How a run ended, and what is wrong with that. */
export interface End {
  /** Undefined when it is not compared, or cannot be. */
  readonly endState: EndState | undefined;
  readonly wrong: Pick<Failure, 'oracle' | 'message'> | undefined;
}

/** @param expected the end without faults; undefined when nobody knows it */
export async function endOf(
  world: Cluster,
  program: SimulationOptions,
  expected: EndState | undefined,
): Promise<End> {
  const { endState: options = {} } = program;
  if (options === false) return { endState: undefined, wrong: undefined };
  const own = await ownObjects(world, program);
  let endState: EndState;
  try {
    endState = endStateOf(own, options, everMade(world));
  } catch (error) {
    // Only what the user wrote can throw here.
    const { name, message } = toError(error);
    const wrong = { oracle: 'program', message: `endState.normalise threw ${name}: ${message}` } as const;
    return { endState: undefined, wrong };
  }
  const differs = expected === undefined ? undefined : difference(expected, endState);
  if (differs === undefined) return { endState, wrong: undefined };
  return { endState, wrong: { oracle: 'end state', message: `the end is not as without faults:${differs}` } };
}
