import { deepEqual, formatTime } from '@windlass/apimachinery';
import type {
  DefinitionCondition,
  DefinitionStatus,
  StoredDefinition,
} from '../custom/definition/definition-object.ts';
import { approvalOf, isProtectedGroup } from '../custom/definition/definition-validation.ts';
import { acceptNames, hasAcceptedNames } from './naming.ts';

/** The status that a definition shall have beside these others; undefined when it has it already. */
export function settledStatus(
  definition: StoredDefinition,
  others: Iterable<StoredDefinition>,
  now: number,
): DefinitionStatus | undefined {
  // Its fields are set anew below; what is in them is shared, and not changed.
  const status: DefinitionStatus = { ...(definition.status as DefinitionStatus | undefined) };
  const set = (condition: DefinitionCondition): void => {
    status.conditions = withCondition(status.conditions ?? [], condition, now);
  };
  if (definition.metadata?.deletionTimestamp !== undefined) {
    set({
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    });
  } else {
    if (!hasAcceptedNames(definition)) {
      const { acceptedNames, condition } = acceptNames(definition, others);
      status.acceptedNames = acceptedNames;
      set(condition);
    }
    const isAccepted = isTrue(status, 'NamesAccepted');
    if (!isTrue(status, 'Established')) set(established(isAccepted));
    if (isProtectedGroup(definition.spec.group)) set(approval(definition));
  }
  return deepEqual(status, definition.status) ? undefined : status;
}

function established(isAccepted: boolean): DefinitionCondition {
  return isAccepted
    ? {
        type: 'Established',
        status: 'True',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      }
    : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

function approval(definition: StoredDefinition): DefinitionCondition {
  const text = approvalOf(definition) ?? '';
  const type = 'KubernetesAPIApprovalPolicyConformant';
  const annotation = '"api-approved.kubernetes.io"';
  if (text === '')
    return {
      type,
      status: 'False',
      reason: 'MissingAnnotation',
      message: `protected groups must have approval annotation ${annotation}, see https://github.com/kubernetes/enhancements/pull/1111`,
    };
  if (text.startsWith('unapproved'))
    return {
      type,
      status: 'False',
      reason: 'UnapprovedAnnotation',
      message: `not approved: ${JSON.stringify(text)}`,
    };
  return { type, status: 'True', reason: 'ApprovedAnnotation', message: `approved in ${text}` };
}

function isTrue({ conditions }: DefinitionStatus, type: string): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}

/** The time of a condition is that of the last change of its status. */
export function withCondition(
  conditions: readonly DefinitionCondition[],
  condition: DefinitionCondition,
  now: number,
): DefinitionCondition[] {
  const old = conditions.find(({ type }) => type === condition.type);
  const isSame = old !== undefined && old.status === condition.status;
  const { type, status, reason = '', message = '' } = condition;
  const next: DefinitionCondition = {
    type,
    status,
    lastTransitionTime: isSame ? (old.lastTransitionTime ?? formatTime(now)) : formatTime(now),
    reason,
    message,
  };
  return old === undefined
    ? [...conditions, next]
    : conditions.map((other) => (other.type === type ? next : other));
}
