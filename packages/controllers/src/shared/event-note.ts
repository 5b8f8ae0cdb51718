import type { Cached, KubeObject } from '@windlass/apimachinery';
import type { EventRecorder } from '@windlass/runtime';

/** An event about an object that a decision asks for. */
export interface EventNote {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

export const normal = (reason: string, message: string): EventNote => ({ type: 'Normal', reason, message });
export const warning = (reason: string, message: string): EventNote => ({ type: 'Warning', reason, message });

export function recordEvent(
  recorder: EventRecorder,
  object: Cached<KubeObject>,
  { type, reason, message }: EventNote,
): void {
  if (type === 'Normal') recorder.normal(object, reason, message);
  else recorder.warning(object, reason, message);
}
