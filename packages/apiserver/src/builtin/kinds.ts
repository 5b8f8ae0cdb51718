import { admissionregistrationKinds } from './admissionregistration/index.ts';
import { apiextensionsKinds } from './apiextensions/index.ts';
import { apiregistrationKinds } from './apiregistration/index.ts';
import { appsKinds } from './apps/index.ts';
import { authenticationKinds } from './authentication/index.ts';
import { authorizationKinds } from './authorization/index.ts';
import { autoscalingKinds } from './autoscaling/index.ts';
import { batchKinds } from './batch/index.ts';
import type { BuiltinServices } from './builtin-services.ts';
import { certificatesKinds } from './certificates/index.ts';
import { coordinationKinds } from './coordination/index.ts';
import { coreKinds } from './core/index.ts';
import { type BuiltinKind, rulesByKey } from './define-kind.ts';
import { discoveryKinds } from './discovery/index.ts';
import { eventsKinds } from './events/index.ts';
import { flowcontrolKinds } from './flowcontrol/index.ts';
import type { RulesByKind } from './kind-rules.ts';
import { networkingKinds } from './networking/index.ts';
import { nodeKinds } from './node/index.ts';
import { policyKinds } from './policy/index.ts';
import { rbacKinds } from './rbac/index.ts';
import { resourceKinds } from './resource/index.ts';
import { schedulingKinds } from './scheduling/index.ts';
import { storageKinds } from './storage/index.ts';

/** Every built-in kind that has rules of its own, by its group. */
const KINDS: readonly BuiltinKind[] = [
  ...admissionregistrationKinds,
  ...apiextensionsKinds,
  ...apiregistrationKinds,
  ...appsKinds,
  ...authenticationKinds,
  ...authorizationKinds,
  ...autoscalingKinds,
  ...batchKinds,
  ...certificatesKinds,
  ...coordinationKinds,
  ...coreKinds,
  ...discoveryKinds,
  ...eventsKinds,
  ...flowcontrolKinds,
  ...networkingKinds,
  ...nodeKinds,
  ...policyKinds,
  ...rbacKinds,
  ...resourceKinds,
  ...schedulingKinds,
  ...storageKinds,
];

/** By key, as soon as the module is loaded: a kind that is listed twice must not wait for a request to be noticed. */
const kindsByKey = rulesByKey(KINDS.map(({ key, rules }) => [key, rules]));

/** The rules of every built-in kind that has any of its own. */
export function builtinRules(services: BuiltinServices): RulesByKind {
  return new Map([...kindsByKey].map(([key, rules]) => [key, rules(services)]));
}
