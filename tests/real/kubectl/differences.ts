/** What kubectl prints otherwise against our server, and why that is as it should be. Keep it short. */
export interface KnownDifference {
  /** The step's arguments, joined by blanks, or the beginning of them. */
  readonly step: string;
  readonly reason: string;
}

const DIFF = 'the real server adds how its Go structures differ';

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    step: 'create serviceaccount default',
    reason: 'our server makes it by itself, the real one leaves it to a controller that does not run here',
  },
  { step: 'debug waiting --image=busybox --profile=general -c look', reason: DIFF },
  { step: 'patch pod waiting --type=merge -p {"spec":{"nodeSelector"', reason: DIFF },
];
