/** One test of Kubernetes' end-to-end suite, and how it ended. */
export interface Spec {
  /** As in the suite's own list: its containers and its text, joined by blanks. */
  readonly name: string;
  /** Such as `sig-apps`. */
  readonly sig: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
  /** The first line of the failure, or empty. */
  readonly message: string;
}

const UNKNOWN_SIG = 'other';

export function sigOf(name: string): string {
  return /\[(sig-[a-z-]+)\]/.exec(name)?.[1] ?? UNKNOWN_SIG;
}
