import { toError, WindlassError } from '@windlass/base';

/** A volume cannot be what the pod needs, for now. */
export class VolumeError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'VOLUME', cause });
  }
}

/** Something may have been mounted, or not: only mounting or unmounting it again tells. */
export class UncertainError extends VolumeError {}

/** As people know errors of drivers from events: `rpc error: code = Internal desc = …`. */
export function describeFailure(error: unknown): string {
  const { message } = toError(error);
  const code = grpcCode(error);
  return code === undefined ? message : `rpc error: code = ${camelCase(code)} desc = ${message}`;
}

/** By its name and not by its class: a driver in this process may throw one of its own. */
export function grpcCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== 'GrpcError' || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

function camelCase(code: string): string {
  // Go spells this one the American way.
  if (code === 'CANCELLED') return 'Canceled';
  const words = code.toLowerCase().split('_');
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('');
}

/** After these nobody knows whether the driver has done what it was asked for. */
const UNCERTAIN: ReadonlySet<string> = new Set([
  'CANCELLED',
  'DEADLINE_EXCEEDED',
  'UNAVAILABLE',
  'RESOURCE_EXHAUSTED',
  'ABORTED',
]);

/** Whether the driver has said no, so that nothing has happened. */
export function isFinal(error: unknown): boolean {
  const code = grpcCode(error);
  return code !== undefined && !UNCERTAIN.has(code);
}
