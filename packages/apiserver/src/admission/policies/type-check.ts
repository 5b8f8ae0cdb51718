import type { DeepReadonly } from '@windlass/apimachinery';
import type {
  ExpressionWarning,
  ValidatingAdmissionPolicy,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import type { CelEnvironment } from '../../custom/cel/cel-environment.ts';
import type { Catalog } from '../../resource/catalog.ts';
import type { ResourceDefinition } from '../../resource/definition.ts';
import { declareVariables } from './admission-variables.ts';
import { declareSchema } from './declared-schema.ts';
import { compileExpression } from './expression.ts';
import { ConfigurationError, paramDefinition } from './policy-params.ts';
import { PolicyVariables } from './policy-variables.ts';

type Policy = DeepReadonly<ValidatingAdmissionPolicy>;

/** A policy is checked against so many kinds; one for everything would take long. */
const MAX_KINDS = 10;

/**
 * What a policy's expressions say about fields that the kinds which it names do not have. It is a hint for
 * whoever wrote it: the policy works all the same.
 */
export function typeWarnings(policy: Policy, catalog: Catalog): ExpressionWarning[] {
  const kinds = kindsOf(policy, catalog);
  const params = paramsOf(policy, catalog);
  const environments = kinds.map((kind) => ({ kind, env: environmentFor(policy, kind, params) }));
  const warnings: ExpressionWarning[] = [];
  const check = (fieldRef: string, expression: string): void => {
    const problems = environments.flatMap(({ kind, env }) => {
      const { error } = compileExpression(env, expression, undefined);
      return error === undefined ? [] : [`${kind.group}/${kind.version}, Kind=${kind.kind}: ${error}\n`];
    });
    if (problems.length > 0) warnings.push({ fieldRef, warning: problems.join('\n') });
  };
  for (const [index, { expression, messageExpression = '' }] of (policy.spec?.validations ?? []).entries()) {
    check(`spec.validations[${index}].expression`, expression);
    if (messageExpression !== '') check(`spec.validations[${index}].messageExpression`, messageExpression);
  }
  return warnings;
}

function environmentFor(
  { spec = {} }: Policy,
  kind: ResourceDefinition,
  params: ResourceDefinition | undefined,
): CelEnvironment {
  const base = (): CelEnvironment =>
    declareVariables({
      hasParams: spec.paramKind !== undefined,
      hasAuthorizer: true,
      declareTypes: (env) => ({
        object: declareSchema(env, kind.schema, kind.schemas, 'object'),
        params: params === undefined ? 'dyn' : declareSchema(env, params.schema, params.schemas, 'params'),
      }),
    });
  return new PolicyVariables(spec.variables ?? [], base).declare(base());
}

/** Rules with wildcards name too many kinds to say anything about them. */
function kindsOf({ spec }: Policy, catalog: Catalog): ResourceDefinition[] {
  const found = new Set<ResourceDefinition>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of spec?.matchConstraints?.resourceRules ??
    []) {
    if ([...apiGroups, ...apiVersions, ...resources].some((text) => text.includes('*'))) continue;
    // The catalog is short; every combination of what the rule names may be a billion.
    const [groups, versions, plurals] = [new Set(apiGroups), new Set(apiVersions), new Set(resources)];
    const named = [...catalog.all()].filter(
      ({ group, version, plural }) => groups.has(group) && versions.has(version) && plurals.has(plural),
    );
    for (const definition of named.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)))
      if (found.size < MAX_KINDS) found.add(definition);
  }
  return [...found].toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

function placeOf({ group, version, plural }: ResourceDefinition): string {
  return [group, version, plural].join('\n');
}

function textOf({ group, version, kind }: ResourceDefinition): string {
  return `${group}/${version}/${kind}`;
}

function paramsOf({ spec }: Policy, catalog: Catalog): ResourceDefinition | undefined {
  try {
    return paramDefinition(spec?.paramKind, catalog);
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}
