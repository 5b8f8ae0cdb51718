// JSON Patch (RFC 6902) as Kubernetes' API server applies it. It is more lenient than the RFC, and
// clients rely on it: negative indices count from the end, `replace` of an absent key adds it, `copy`
// of an absent key gives null, and `test` against null passes when the key is absent.
//
// One difference is wanted: `test` compares values, while the server compares the bytes of scalars
// (there `"<"` differs from `"\u003c"`, and 1 from 1.0).

import { isDeeperThan } from '../json/json-depth.ts';
import { asJsonValue, isJsonObject, ownValue } from '../json/json-object.ts';
import { DEFAULT_MAX_DEPTH } from '../json/strict-fields.ts';
import type { JsonValue } from '../object.ts';
import { JsonPatchDocument } from './json-patch-document.ts';
import { JsonPatchError } from './json-patch-errors.ts';

/** One step of a JSON patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly from: string; readonly path: string };

/** How large a JSON patch may be. */
export interface JsonPatchOptions {
  /**
   * More operations than this are refused.
   * @default 10000
   */
  readonly maxOperations?: number;
  /**
   * How much JSON, in bytes, all `copy` operations together may add.
   * @default 3145728
   */
  readonly maxCopyBytes?: number;
  /**
   * How many elements of arrays all insertions and removals together may move aside.
   * @default 100000000
   */
  readonly maxMoves?: number;
  /**
   * How deep the result may be nested: what walks it afterwards does so by recursion.
   * @default 1000
   */
  readonly maxDepth?: number;
}

/** How many operations a patch may have unless `maxOperations` says otherwise. */
export const DEFAULT_MAX_OPERATIONS = 10_000;
/** How many bytes a patch may copy unless its options say otherwise. */
export const DEFAULT_MAX_COPY_BYTES = 3 * 1024 * 1024;
const DEFAULT_MAX_MOVES = 100_000_000;

/** An operation as it came from outside: its fields have the right types, or are undefined. */
interface RawOperation {
  readonly op: string | undefined;
  readonly path: string | undefined;
  readonly from: string | undefined;
  readonly value: JsonValue;
}

/**
 * The patched document. Nothing of `document` or `patch` is changed; what no operation touched is
 * shared with them. Throws JsonPatchError, and then nothing was applied.
 *
 * What a `copy` copies may hang at both places of the result: copy before you write.
 *
 * Cost: each container on an operation's path is copied once per patch, what an operation has copied once more where
 * it is written, and the elements of an array that stand behind an insertion or a removal are moved.
 */
export function applyJsonPatch<T>(document: T, patch: unknown, options: JsonPatchOptions = {}): T {
  const operations = parseOperations(patch);
  const { maxOperations = DEFAULT_MAX_OPERATIONS, maxDepth = DEFAULT_MAX_DEPTH } = options;
  const { maxCopyBytes = DEFAULT_MAX_COPY_BYTES, maxMoves = DEFAULT_MAX_MOVES } = options;
  if (operations.length > maxOperations)
    throw new JsonPatchError(
      'too-many-operations',
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`,
    );
  const target = new JsonPatchDocument(asJsonValue(document), { maxCopyBytes, maxMoves, maxDepth });
  for (const [index, operation] of operations.entries()) applyOperation(target, operation, index);
  if (isDeeperThan(target.root, maxDepth))
    throw new JsonPatchError('too-deep', `the result is nested more than ${maxDepth} deep`);
  // Whether it is still of the document's kind is for those to check who decode it.
  return target.root as T;
}

function parseOperations(patch: unknown): RawOperation[] {
  if (!Array.isArray(patch))
    throw new JsonPatchError('malformed', 'a JSON patch must be an array of operations');
  return patch.map(parseOperation);
}

function parseOperation(operation: unknown, index: number): RawOperation {
  if (operation !== null && !isJsonObject(operation))
    throw new JsonPatchError('malformed', 'it must be an object', index);
  const fields = operation ?? {};
  const text = (key: string): string | undefined => {
    const value = ownValue(fields, key) ?? undefined;
    if (value !== undefined && typeof value !== 'string')
      throw new JsonPatchError('malformed', `"${key}" must be a string`, index);
    return value;
  };
  return { op: text('op'), path: text('path'), from: text('from'), value: ownValue(fields, 'value') ?? null };
}

function applyOperation(target: JsonPatchDocument, operation: RawOperation, index: number): void {
  const field = (name: 'path' | 'from'): string => {
    const text = operation[name];
    if (text === undefined) throw new JsonPatchError('missing-path', `"${name}" is missing`, index);
    return text;
  };
  switch (operation.op) {
    case 'add':
      return target.add(field('path'), operation.value, index);
    case 'remove':
      return target.remove(field('path'), index);
    case 'replace':
      return target.replace(field('path'), operation.value, index);
    case 'move':
      return target.move(field('from'), field('path'), index);
    case 'copy':
      return target.copy(field('from'), field('path'), index);
    case 'test':
      return target.test(field('path'), operation.value, index);
    default:
      throw new JsonPatchError(
        'unknown-operation',
        `"op" must be add, remove, replace, move, copy or test, but it is ${JSON.stringify(operation.op ?? null)}`,
        index,
      );
  }
}
