import { isRecord } from '@windlass/base';
import type { Webhook } from './reviews.ts';

const SORTS: ReadonlySet<unknown> = new Set<Webhook['webhook']>(['validating', 'mutating', 'conversion']);

/** The webhooks that a module exports, alone or in lists, each once. */
export function webhooksIn(exports: Readonly<Record<string, unknown>>): Webhook[] {
  const values = Object.values(exports).flatMap((value): unknown[] =>
    Array.isArray(value) ? value : [value],
  );
  return [...new Set(values.filter(isWebhook))];
}

/** By its shape, because it may have been made by another copy of this package. */
function isWebhook(value: unknown): value is Webhook {
  return (
    isRecord(value) &&
    SORTS.has(value['webhook']) &&
    typeof value['path'] === 'string' &&
    isRecord(value['type'])
  );
}
