import { InvalidArgumentError } from '@windlass/base';
import type { LeaderElectionOptions } from '@windlass/runtime';
import type { ProcessOptions, SimulationOptions } from '../simulation.ts';

/** One process of a run: the only one of its program, or one of several that are equal. */
export interface Replica {
  /** Of the process: `operator`, or `operator-1` when there are several. */
  readonly name: string;
  /** Of the program: `operator`. All replicas and starts have it in common, as those of one binary do. */
  readonly program: string;
  readonly options: ProcessOptions;
  /** What it must hold to write; undefined when nobody leads. */
  readonly lease: LeaderElectionOptions | undefined;
}

/** The user's processes, one for each replica. @throws InvalidArgumentError for what is none */
export function replicasOf({ processes = {} }: Pick<SimulationOptions, 'processes'>): Replica[] {
  return Object.entries(processes).flatMap(([program, spec]) => {
    const options = typeof spec === 'function' ? { setUp: spec } : spec;
    // A program may be JavaScript, where no type says so.
    if (typeof (options as Partial<ProcessOptions> | null)?.setUp !== 'function')
      throw new InvalidArgumentError(
        `processes.${program}`,
        spec,
        'a function, or options with one as setUp',
      );
    const { replicas = 1 } = options;
    if (!Number.isInteger(replicas) || replicas < 1)
      throw new InvalidArgumentError(
        `processes.${program}.replicas`,
        replicas,
        'a whole number of at least 1; leave the process out to run none',
      );
    const lease = leaseOf(program, options);
    return Array.from({ length: replicas }, (_, index) => ({
      name: replicas === 1 ? program : `${program}-${index}`,
      program,
      options,
      lease,
    }));
  });
}

/** Without an identity: each replica and each start has one of its own, or nobody could tell who leads. */
function leaseOf(program: string, { leaderElection = false }: ProcessOptions): Replica['lease'] {
  if (leaderElection === false) return undefined;
  if (leaderElection === true) return { name: program, namespace: 'default' };
  const { identity: _, ...lease } = leaderElection;
  return lease;
}
