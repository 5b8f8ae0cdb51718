import type { Check, Invariant, SimulationOptions } from '../simulation.ts';

/** The checks of one moment, by name. A bare function is checked at rest. */
export function invariantsOf(
  { invariants = {} }: SimulationOptions,
  when: keyof Invariant,
): [string, Check][] {
  return Object.entries(invariants).flatMap(([name, invariant]) => {
    const { [when]: check } =
      typeof invariant === 'function' ? { always: undefined, atRest: invariant } : invariant;
    return check === undefined ? [] : [[name, check]];
  });
}
