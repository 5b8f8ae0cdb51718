/** Done. */
export const EXIT_OK = 0;
/** It failed. */
export const EXIT_FAILED = 1;
/** The call was wrong. */
export const EXIT_USAGE = 2;

/** The call was wrong; the message says how it should be. */
export class UsageError extends Error {}
