/** Which oracle says that a run went wrong. */
export type OracleName =
  /** An invariant of the user's. */
  | 'invariant'
  /** It does not come to rest. */
  | 'rest'
  /** At rest somebody runs again and again. */
  | 'hot loop'
  /** The end is not as without faults. */
  | 'end state'
  /** Something is left after everything was deleted. */
  | 'left behind'
  /** A process wrote although another one led. */
  | 'former leader'
  /** A promise was rejected and nobody cared. */
  | 'unhandled rejection'
  /** The program itself: a process cannot be set up, or the workload throws. */
  | 'program';

/** What is wrong with a run. */
export interface Failure {
  readonly oracle: OracleName;
  /** For an invariant its name. */
  readonly name?: string;
  /** One sentence, perhaps with details on lines of their own. */
  readonly message: string;
  /** Milliseconds of virtual time since the run began. */
  readonly atMs: number;
}

/** Whether two failures are of the same cause, as far as one can tell from outside. */
export function isSameFailure(a: Failure, b: Failure): boolean {
  return a.oracle === b.oracle && a.name === b.name;
}
