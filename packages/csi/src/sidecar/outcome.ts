import type { GrpcCode } from '@windlass/grpc';
import { GrpcError } from '@windlass/grpc';

/**
 * What a failed call says about its operation:
 * - `final`: it did not take place, and does not go on;
 * - `infeasible`: likewise, and the same request will fail again;
 * - `unknown`: it may have taken place or go on. Only asking again tells.
 */
export type FailureKind = 'final' | 'infeasible' | 'unknown';

const UNKNOWN: ReadonlySet<GrpcCode> = new Set(['CANCELLED', 'DEADLINE_EXCEEDED', 'UNAVAILABLE', 'ABORTED']);

/** @param infeasible codes that say that the same request will fail again */
export function failureKind(error: unknown, infeasible: readonly GrpcCode[]): FailureKind {
  // What is no answer of the driver says nothing about what an earlier call began.
  if (!(error instanceof GrpcError) || UNKNOWN.has(error.code)) return 'unknown';
  return infeasible.includes(error.code) ? 'infeasible' : 'final';
}

const ABSENT: ReadonlySet<GrpcCode> = new Set([
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'OUT_OF_RANGE',
  'RESOURCE_EXHAUSTED',
  'UNIMPLEMENTED',
]);

/**
 * Whether a refusal to make a volume proves that there is none of its name. A driver that has one answers
 * with it, whatever else it would refuse; but one that fails (INTERNAL) has not looked.
 */
export const provesAbsence = (error: unknown): boolean =>
  error instanceof GrpcError && ABSENT.has(error.code);
