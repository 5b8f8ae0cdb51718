import {
  type FieldError,
  FieldPath,
  fieldInvalid,
  fieldNotSupported,
  newInvalid,
} from '@windlass/apimachinery';
import { first, parseBoolean, parseInteger, type Query } from './list-options.ts';

/** DeleteOptions, of the body or of the query. */
export interface DeleteParameters {
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly propagationPolicy: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun: readonly string[];
  /** As it came, for admission. */
  readonly raw: Readonly<Record<string, unknown>>;
}

const POLICIES = ['Foreground', 'Background', 'Orphan'];

export function parseDeleteParameters(
  body: Readonly<Record<string, unknown>> | undefined,
  query: Query,
): DeleteParameters {
  const raw = body ?? fromQuery(query);
  const preconditions = isRecord(raw['preconditions']) ? raw['preconditions'] : {};
  const { uid, resourceVersion } = preconditions;
  const parameters = {
    gracePeriodSeconds: typeof raw['gracePeriodSeconds'] === 'number' ? raw['gracePeriodSeconds'] : undefined,
    orphanDependents: typeof raw['orphanDependents'] === 'boolean' ? raw['orphanDependents'] : undefined,
    // Checked below.
    propagationPolicy: raw['propagationPolicy'] as DeleteParameters['propagationPolicy'],
    preconditions: {
      ...(typeof uid === 'string' && { uid }),
      ...(typeof resourceVersion === 'string' && { resourceVersion }),
    },
    dryRun: Array.isArray(raw['dryRun']) ? raw['dryRun'].map(String) : [],
    raw,
  };
  const errors = deleteErrors(parameters);
  if (errors.length > 0) throw newInvalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  return parameters;
}

function deleteErrors({ orphanDependents, propagationPolicy }: DeleteParameters): FieldError[] {
  const path = FieldPath.of('propagationPolicy');
  if (propagationPolicy === undefined) return [];
  if (orphanDependents !== undefined) {
    return [
      fieldInvalid(path, propagationPolicy, 'orphanDependents and deletionPropagation cannot be both set'),
    ];
  }
  return POLICIES.includes(propagationPolicy)
    ? []
    : [fieldNotSupported(path, propagationPolicy, [...POLICIES, 'nil'])];
}

function fromQuery(query: Query): Record<string, unknown> {
  const raw: Record<string, unknown> = {};
  const grace = parseInteger('gracePeriodSeconds', first(query['gracePeriodSeconds']) ?? '');
  if (grace !== undefined) raw['gracePeriodSeconds'] = grace;
  const orphan = parseBoolean(first(query['orphanDependents']) ?? '');
  if (orphan !== undefined) raw['orphanDependents'] = orphan;
  const policy = first(query['propagationPolicy']);
  if (policy !== undefined && policy !== '') raw['propagationPolicy'] = policy;
  const dryRun = query['dryRun'];
  if (dryRun !== undefined) raw['dryRun'] = typeof dryRun === 'string' ? [dryRun] : dryRun;
  return raw;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
