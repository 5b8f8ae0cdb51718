import { type DeepReadonly, InvalidDurationError, parseDuration } from '@windlass/apimachinery';
import type { ContainerRequest } from './runtime.ts';

/** Annotations of a pod that steer its containers: `simulation.windlass.dev/exit-code: "1"`. */
export const SIMULATION_PREFIX = 'simulation.windlass.dev/';

/** The value of an annotation by the rest of its name: the one for this container, or the one for all. */
export function annotationReader({
  pod,
  container,
}: DeepReadonly<Pick<ContainerRequest, 'pod' | 'container'>>): (name: string) => string | undefined {
  const annotations = pod.metadata?.annotations ?? {};
  return (name) =>
    annotations[`${SIMULATION_PREFIX}${name}.${container.name}`] ??
    annotations[`${SIMULATION_PREFIX}${name}`];
}

export function exitCodeIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  return Number.isInteger(value) && value >= 0 && value <= 255 ? value : undefined;
}

/** What cannot be read counts as not said: an annotation must not stop a node. */
export function duration(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  try {
    return Math.max(0, parseDuration(text));
  } catch (error) {
    if (error instanceof InvalidDurationError) return undefined;
    throw error;
  }
}
