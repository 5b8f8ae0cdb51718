import { builtinSchemas, type DeepReadonly, safeEncode, semanticEqual } from '@windlass/apimachinery';
import type { PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';

export const POD_TEMPLATE_HASH = 'pod-template-hash';

const SCHEMA = 'io.k8s.api.core.v1.PodTemplateSpec';

type Template = DeepReadonly<PodTemplateSpec>;

/** The template without the label that the controller adds. */
export function withoutHash(template: Template): Template {
  const { [POD_TEMPLATE_HASH]: hash, ...labels } = template.metadata?.labels ?? {};
  return hash === undefined ? template : { ...template, metadata: { ...template.metadata, labels } };
}

/** Whether both make the same pods, as the API server would see it. */
export function isSameTemplate(a: Template | undefined, b: Template | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const schemas = builtinSchemas();
  return semanticEqual(withoutHash(a), withoutHash(b), schemas.definition(SCHEMA), schemas);
}

/**
 * A short name for a template, in letters that make no words. Nobody compares it: sets are found by their
 * template, so that it need not be what another program computes. The number of collisions makes another
 * name of it, should two templates ever share one.
 */
export function templateHash(template: Template, collisionCount: number | undefined): string {
  const text = canonical(template) + (collisionCount === undefined ? '' : `#${collisionCount}`);
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return safeEncode(String(hash));
}

/** JSON with sorted keys: the order in which a server sends fields must not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) => {
    if (typeof field !== 'object' || field === null || Array.isArray(field)) return field;
    return Object.fromEntries(Object.entries(field).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
