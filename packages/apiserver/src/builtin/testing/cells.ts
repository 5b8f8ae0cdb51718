import type { BuiltinServices } from '../builtin-services.ts';
import type { BuiltinKind } from '../define-kind.ts';
import type { Json } from './kind-api.ts';

/** What `kubectl get -o wide` shows of an object: its cells by their columns. */
export function cellsOf(kind: BuiltinKind, object: Json, now = 0): Readonly<Record<string, unknown>> {
  // What a kind looks like needs nothing from outside.
  const { printer } = kind.rules({} as BuiltinServices);
  const cells = printer?.cells(object, now) ?? [];
  return Object.fromEntries((printer?.columns ?? []).map(({ name }, at) => [name, cells[at]]));
}
