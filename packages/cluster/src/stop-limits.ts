import type { StopLimits } from './parts.ts';

// A stop takes less than ten seconds, whatever hangs: whoever sends SIGTERM sends SIGKILL soon after.

/** Runs under way have this long to end; then they are told to, and have one second more. */
export const MANAGER_STOP_MS = 3000;

/**
 * As above, for the drivers, which stop after the kubelets. Formatting a drive is what takes longest there; one that is
 * cut off is formatted again at the next start.
 */
export const DRIVERS_STOP_MS = 2000;

/** Of all parts. The managers come before it by themselves. */
export const STOP_LIMITS: StopLimits = Object.freeze({ inOrderMs: 5500, togetherMs: 1500 });
