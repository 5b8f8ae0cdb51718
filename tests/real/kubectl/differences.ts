/** What kubectl prints otherwise against our server, and why that is as it should be. Keep it short. */
export interface KnownDifference {
  /** The step's arguments, joined by blanks, or the beginning of them. */
  readonly step: string;
  readonly reason: string;
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [];
