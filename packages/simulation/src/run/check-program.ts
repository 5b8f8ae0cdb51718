import { InvalidArgumentError } from '@windlass/base';
import { oneOf, quoted } from '../plan/check-values.ts';
import { FAULT_KINDS, type FaultKind } from '../plan/fault.ts';
import type { SimulationOptions } from '../simulation.ts';
import { replicasOf } from '../world/replicas.ts';

/** What a program must fit. */
export interface ProgramGround {
  /** Who is there beside the program: nobody of it may have one of these names. */
  readonly others: readonly string[];
  /** Whom faults can meet. */
  readonly processes: readonly string[];
  /** What can happen. @default every kind */
  readonly kinds?: readonly FaultKind[];
  /** So long nothing is written before it counts as rest. */
  readonly quietMs: number;
}

/** When an invariant may be checked. */
const MOMENTS = ['always', 'atRest', 'afterDeletion'] as const;

/** @throws InvalidArgumentError that names the option, its value and what it may be */
export function checkProgram(program: SimulationOptions, ground: ProgramGround): void {
  const { workload, invariants = {}, faults = [], faultsOn = [] } = program;
  if (typeof workload !== 'function') throw new InvalidArgumentError('workload', workload, 'a function');
  checkNames(program, ground.others);
  for (const [index, name] of faultsOn.entries()) oneOf(`faultsOn[${index}]`, name, ground.processes);
  for (const [index, kind] of faults.entries()) oneOf(`faults[${index}]`, kind, ground.kinds ?? FAULT_KINDS);
  for (const [name, invariant] of Object.entries(invariants)) checkInvariant(name, invariant);
  const { restWithinMs = ground.quietMs } = program;
  if (typeof restWithinMs !== 'number' || !(restWithinMs >= ground.quietMs))
    throw new InvalidArgumentError(
      'restWithinMs',
      restWithinMs,
      `a number of at least ${ground.quietMs}: only after so many milliseconds without a write there is rest`,
    );
}

function checkNames(program: SimulationOptions, others: readonly string[]): void {
  const taken = new Set(others);
  for (const { name } of replicasOf(program)) {
    if (taken.has(name))
      throw new InvalidArgumentError(
        'the name of a process',
        name,
        others.includes(name) ? `none of ${quoted(others)}` : 'a name that no other process or replica has',
      );
    taken.add(name);
  }
}

function checkInvariant(name: string, invariant: unknown): void {
  if (typeof invariant === 'function') return;
  const given = typeof invariant === 'object' && invariant !== null ? Object.entries(invariant) : [];
  // A moment with a wrong name would never be checked, and the invariant would hold whatever happens.
  const isSound = ([moment, check]: readonly [string, unknown]): boolean =>
    MOMENTS.some((one) => one === moment) && (typeof check === 'function' || check === undefined);
  if (given.some(([, check]) => check !== undefined) && given.every(isSound)) return;
  throw new InvalidArgumentError(
    `invariants.${name}`,
    invariant,
    'a function, or an object whose always, atRest or afterDeletion are functions',
  );
}
