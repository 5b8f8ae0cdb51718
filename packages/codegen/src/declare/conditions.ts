import { array, object } from './collections.ts';
import { type FieldOptions, type OptionalField, optional } from './field.ts';
import { integer, oneOfTexts, string, time } from './scalars.ts';

/** A condition in the status of an object. */
export interface ConditionValue {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime: string;
  reason: string;
  message: string;
  observedGeneration?: number;
}

/** The conditions that kinds have in their status, one of each type; held to what upstream's kinds hold them to. */
export function conditions(options: FieldOptions = {}): OptionalField<ConditionValue[]> {
  const condition = object({
    type: string({
      maxLength: 316,
      pattern:
        '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
    }),
    status: oneOfTexts(['True', 'False', 'Unknown']),
    lastTransitionTime: time(),
    reason: string({ minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' }),
    message: string({ maxLength: 32_768 }),
    observedGeneration: optional(integer({ minimum: 0 })),
  });
  return optional(array<ConditionValue>(condition, { ...options, mapKeys: ['type'] }));
}
