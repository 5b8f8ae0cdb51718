import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';

/** What else an event says. */
export interface EventOptions {
  /** What was done, in one word: `Scaling`. @default the reason */
  readonly action?: string;
  /** The other object that it is about. */
  readonly related?: DeepReadonly<KubeObject>;
}

/**
 * Tells people what a controller did, as Events beside the object. It returns at once and never throws: an
 * event that cannot be written is counted, and nothing else is harmed.
 */
export interface EventRecorder {
  /** @param reason one word in CamelCase, the same each time; what changes belongs in the note */
  normal(object: DeepReadonly<KubeObject>, reason: string, note: string, options?: EventOptions): void;
  warning(object: DeepReadonly<KubeObject>, reason: string, note: string, options?: EventOptions): void;
}

/** Tells nobody. */
export const silentRecorder: EventRecorder = Object.freeze({ normal() {}, warning() {} });
