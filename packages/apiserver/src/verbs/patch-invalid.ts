import { encodeJson, FieldPath, fieldInvalid, newInvalid, type StatusError } from '@windlass/apimachinery';
import { isRecord, toError } from '@windlass/base';
import { goText } from './go-text.ts';

/** So much of the object or the patch is shown. */
const MAX_SHOWN = 32 * 1024;

interface Patched {
  readonly type: 'json' | 'merge' | 'strategic' | 'apply';
  readonly patch: unknown;
  readonly isCustom: boolean;
}

/**
 * What a patch makes wrong is a matter of the patch, not of the request's form. Upstream shows the object that came of
 * it; of a strategic merge patch, which never becomes JSON there, the patch as Go prints it.
 */
export function patchInvalid(
  { type, patch, isCustom }: Patched,
  result: unknown,
  error: unknown,
): StatusError {
  const problem = toError(error).message.replace(/^.*? cannot be handled as a \S+: /, '');
  const isStrategic = type === 'strategic' && !isCustom;
  const shown = isStrategic ? goText(patch) : encodeJson(withoutManagers(inOrder(result, patch)));
  const reason = isStrategic ? restoreProblem(problem) : problem;
  const invalid = fieldInvalid(FieldPath.of('patch'), shown.slice(0, MAX_SHOWN), reason);
  return newInvalid({ group: '', kind: '' }, '', [invalid]);
}

const WRONG_TYPE = /^json: cannot unmarshal (\w+)(?: \S+)? into Go struct field \S+ of type (.+)$/;

const FOUND: ReadonlyMap<string, string> = new Map([
  ['number', 'int64'],
  ['array', 'slice'],
  ['object', 'map'],
]);

/** Upstream does not decode what a strategic merge patch gives, but makes it the kind's own: in other words. */
function restoreProblem(problem: string): string {
  const [, json = '', wanted = ''] = WRONG_TYPE.exec(problem) ?? [];
  if (wanted === '') return problem;
  const found = FOUND.get(json) ?? json;
  if (wanted.startsWith('map[')) return `cannot restore map from ${found}`;
  if (wanted.startsWith('[]')) return `cannot restore slice from ${found}`;
  if (wanted.includes('.')) return `cannot restore struct from: ${found}`;
  return wanted === 'string' ? `cannot convert ${found} to string` : `unrecognized type: ${wanted}`;
}

/** What the patch has touched is a map then, whose keys Go sorts. */
function inOrder(value: unknown, patch: unknown): unknown {
  if (!isRecord(value)) return value;
  const touched = isRecord(patch) ? patch : {};
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, key in touched ? inOrder(part, touched[key]) : part]),
  );
}

function withoutManagers(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value['metadata'])) return value;
  const { managedFields: _, ...metadata } = value['metadata'];
  return { ...value, metadata };
}
