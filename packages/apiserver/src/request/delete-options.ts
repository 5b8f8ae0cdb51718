import {
  type FieldError,
  FieldPath,
  fieldInvalid,
  fieldNotSupported,
  goQuote,
  newBadRequest,
  newInvalid,
  TypedFormError,
  toTypedForm,
} from '@windlass/apimachinery';
import { isRecord } from '@windlass/base';
import { booleanOf, first, integerOf, type Query, textOf } from './query-values.ts';
import { dryRunErrors, dryRunOf } from './write-options.ts';

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

/** The fields of DeleteOptions, each of its type. */
interface Options {
  readonly gracePeriodSeconds?: number;
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
}

const POLICIES = ['Foreground', 'Background', 'Orphan'];
const KIND = 'DeleteOptions';

/** The body is what the options are, when there is one: the query is then not looked at. */
export function parseDeleteParameters(body: unknown, query: Query): DeleteParameters {
  const options = body === undefined ? fromQuery(query) : fromBody(body);
  const errors = deleteErrors(options);
  if (errors.length > 0) throw newInvalid({ group: 'meta.k8s.io', kind: KIND }, '', errors);
  const {
    gracePeriodSeconds,
    orphanDependents,
    propagationPolicy,
    preconditions = {},
    dryRun = [],
  } = options;
  return {
    gracePeriodSeconds,
    orphanDependents,
    // Checked above.
    propagationPolicy: propagationPolicy as DeleteParameters['propagationPolicy'],
    preconditions,
    dryRun,
    raw: { ...options },
  };
}

function deleteErrors({ orphanDependents, propagationPolicy: policy, dryRun = [] }: Options): FieldError[] {
  const path = FieldPath.of('propagationPolicy');
  const errors: FieldError[] = [];
  if (policy !== undefined && orphanDependents !== undefined)
    errors.push(fieldInvalid(path, policy, 'orphanDependents and deletionPropagation cannot be both set'));
  if (policy !== undefined && !POLICIES.includes(policy))
    errors.push(fieldNotSupported(path, policy, [...POLICIES, 'nil']));
  return [...errors, ...dryRunErrors(dryRun)];
}

/** An option that is not what it should be must not be taken for none: it may be the one that prevents the deletion. */
function fromBody(body: unknown): Options {
  if (body === null) return {};
  if (!isRecord(body))
    throw newBadRequest(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${Array.isArray(body) ? 'array' : jsonTypeOf(body)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  const given = body;
  for (const field of ['apiVersion', 'kind']) {
    const value = given[field];
    if (value !== undefined && value !== null && typeof value !== 'string')
      throw newBadRequest(
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field .${field} of type string`,
      );
  }
  const { kind = KIND, apiVersion = '' } = given;
  if (typeof kind === 'string' && kind !== '' && kind !== KIND)
    throw newBadRequest(
      `no kind ${goQuote(kind)} is registered for version ${goQuote(typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : 'meta.k8s.io/v1')}`,
    );
  try {
    const { kind: _kind, apiVersion: _apiVersion, ...options } = toTypedForm('v1', KIND, given).object;
    // The form has only fields of the kind, each of its type.
    return options;
  } catch (error) {
    if (error instanceof TypedFormError) throw newBadRequest(error.message);
    throw error;
  }
}

function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function fromQuery(query: Query): Options {
  const gracePeriodSeconds = integerOf(query, 'gracePeriodSeconds');
  const orphanDependents = booleanOf(query, 'orphanDependents');
  const propagationPolicy = first(query['propagationPolicy']);
  const dryRun = dryRunOf(query);
  const uid = textOf(query, 'uid');
  const resourceVersion = textOf(query, 'resourceVersion');
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...((uid !== '' || resourceVersion !== '') && {
      preconditions: { ...(uid !== '' && { uid }), ...(resourceVersion !== '' && { resourceVersion }) },
    }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(dryRun.length > 0 && { dryRun }),
  };
}
