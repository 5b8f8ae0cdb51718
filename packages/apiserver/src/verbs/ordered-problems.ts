import { scanFields, schemaFields } from '@windlass/apimachinery';
import type { Body } from '../request/body.ts';
import type { ResourceDefinition } from '../resource/definition.ts';

/**
 * Doubled and unknown fields in upstream's order. A built-in kind in JSON is read in one go, so they come as they stand
 * in the text; a field that is both is unknown. Otherwise doubled fields are seen first, and YAML is sorted before the
 * unknown ones are.
 */
export function orderedProblems(
  { isCustom, schema, schemas }: Pick<ResourceDefinition, 'isCustom' | 'schema' | 'schemas'>,
  { problems, bytes }: Pick<Body, 'problems' | 'bytes'>,
  unknown: readonly string[],
  contentType: string,
): readonly string[] {
  if (problems.length + unknown.length < 2) return [...problems, ...unknown];
  if (contentType === 'application/yaml') return [...problems, ...(isCustom ? unknown : unknown.toSorted())];
  if (isCustom || bytes === undefined || problems.length === 0) return [...problems, ...unknown];
  const found = scanFields(Buffer.from(bytes).toString(), { known: schemaFields(schema, schemas) });
  const told = new Set(found);
  // The scan stops after some; nothing that was found before is lost.
  return [...found, ...unknown.filter((problem) => !told.has(problem))];
}
