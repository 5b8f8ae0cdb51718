import {
  type FieldError,
  FieldPath,
  fieldForbidden,
  fieldNotSupported,
  fieldRequired,
  newBadRequest,
  newInvalid,
  strictDecodingMessage,
  validateFieldManager,
} from '@windlass/apimachinery';
import { appendAll } from '@windlass/base';
import type { RequestContext } from './context.ts';
import { booleanOf, first, type Query } from './query-values.ts';

/** CreateOptions, UpdateOptions and PatchOptions: what the query of a write says. */
export interface WriteParameters {
  readonly isDryRun: boolean;
  readonly fieldManager: string | undefined;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  readonly force: boolean;
  /** For admission. */
  readonly raw: Readonly<Record<string, unknown>>;
}

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions';

export function parseWriteParameters(query: Query, kind: OptionsKind, isApply = false): WriteParameters {
  const fieldManager = first(query['fieldManager']);
  const fieldValidation = first(query['fieldValidation']) ?? '';
  const force = booleanOf(query, 'force');
  const dryRun = dryRunOf(query);
  const errors: FieldError[] = [...dryRunErrors(dryRun)];
  const managerPath = FieldPath.of('fieldManager');
  if (isApply && (fieldManager === undefined || fieldManager === '')) {
    errors.push(fieldRequired(managerPath, 'is required for apply patch'));
  } else appendAll(errors, validateFieldManager(fieldManager ?? '', managerPath));
  if (kind === 'PatchOptions' && !isApply && force !== undefined) {
    errors.push(fieldForbidden(FieldPath.of('force'), 'may not be specified for non-apply patch'));
  }
  if (!['', 'Ignore', 'Warn', 'Strict'].includes(fieldValidation)) {
    errors.push(
      fieldNotSupported(FieldPath.of('fieldValidation'), fieldValidation, ['', 'Ignore', 'Strict', 'Warn']),
    );
  }
  if (errors.length > 0) throw newInvalid({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    isDryRun: dryRun.length > 0,
    fieldManager,
    // Checked above.
    fieldValidation: (fieldValidation === ''
      ? 'Warn'
      : fieldValidation) as WriteParameters['fieldValidation'],
    force: force ?? false,
    raw: {
      kind,
      apiVersion: 'meta.k8s.io/v1',
      ...(dryRun.length > 0 && { dryRun }),
      ...(fieldManager !== undefined && { fieldManager }),
      ...(fieldValidation !== '' && { fieldValidation }),
      ...(force !== undefined && { force }),
    },
  };
}

export function dryRunOf(query: Query): readonly string[] {
  const value = query['dryRun'];
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

export function dryRunErrors(dryRun: readonly string[]): FieldError[] {
  if (dryRun.every((value) => value === 'All')) return [];
  return [fieldNotSupported(FieldPath.of('dryRun'), dryRun, ['All'])];
}

/** Unknown and doubled fields: an error, a warning each, or nothing, as the client asked. */
export function reportProblems(
  problems: readonly string[],
  mode: WriteParameters['fieldValidation'],
  definition: { readonly kind: string; readonly version: string },
  context: Pick<RequestContext, 'warn'>,
): void {
  if (problems.length === 0 || mode === 'Ignore') return;
  if (mode === 'Warn') {
    for (const problem of problems) for (const warning of warningsOf(problem)) context.warn(warning);
    return;
  }
  throw newBadRequest(
    `${definition.kind} in version ${JSON.stringify(definition.version)} cannot be handled as a ${definition.kind}: ${strictDecodingMessage(problems)}`,
  );
}

const YAML_PROBLEMS = 'yaml: unmarshal errors:\n';

/** YAML tells its problems in one text of many lines, and no header may have those: a warning for each. */
function warningsOf(problem: string): readonly string[] {
  if (!problem.startsWith(YAML_PROBLEMS)) return [problem];
  return problem
    .slice(YAML_PROBLEMS.length)
    .split('\n')
    .map((line) => line.trim());
}
