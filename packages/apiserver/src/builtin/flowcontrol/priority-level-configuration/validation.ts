import { deepEqual, FieldPath } from '@windlass/apimachinery';
import type {
  ExemptPriorityLevelConfiguration,
  LimitedPriorityLevelConfiguration,
  LimitResponse,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
} from '@windlass/apimachinery/api/flowcontrol/v1';
import { EXEMPT, MANDATORY_LEVELS } from '../../../flowcontrol/configuration/default-objects.ts';
import { MAX_HASH_BITS, requiredEntropyBits } from '../../../flowcontrol/queueing/shuffle-sharding.ts';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateConditions } from '../conditions.ts';

const SPEC = FieldPath.of('spec');
const LIMITED = SPEC.child('limited');
const RESPONSE = LIMITED.child('limitResponse');
const QUEUING = RESPONSE.child('queuing');
const MAX_QUEUES = 10_000_000;
/** Of a version that is no longer served. */
const PRESERVE_ZERO = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';

export const priorityLevelValidation: ValidationOf<PriorityLevelConfiguration> = {
  create: validatePriorityLevel,
  status: ({ status }, _old, findings) => validateConditions(status?.conditions, findings),
};

function validatePriorityLevel(
  { metadata, spec = {}, status }: View<PriorityLevelConfiguration>,
  findings: Findings,
): void {
  const name = metadata?.name ?? '';
  if (metadata?.annotations?.[PRESERVE_ZERO] !== undefined)
    findings.forbidden(FieldPath.of('metadata', 'annotations'), `annotation '${PRESERVE_ZERO}' is forbidden`);
  validateSpec(name, spec, findings);
  validateMandatory(name, spec, findings);
  validateConditions(status?.conditions, findings);
}

function validateSpec(name: string, spec: View<PriorityLevelConfigurationSpec>, findings: Findings): void {
  const { type = '', limited, exempt } = spec;
  if ((name === EXEMPT) !== (type === 'Exempt'))
    findings.invalid(SPEC.child('type'), type, "must be 'Exempt' if and only if `name` is 'exempt'");
  if (type === 'Exempt') {
    if (limited !== undefined) findings.forbidden(LIMITED, 'must be nil if the type is not Limited');
    if (exempt !== undefined) validateExempt(exempt, findings);
  } else if (type === 'Limited') {
    if (exempt !== undefined) findings.forbidden(SPEC.child('exempt'), 'must be nil if the type is Limited');
    if (limited === undefined) findings.required(LIMITED, 'must not be empty when type is Limited');
    else validateLimited(limited, findings);
  } else if (type === '') findings.required(SPEC.child('type'));
  else findings.notSupported(SPEC.child('type'), type, ['Exempt', 'Limited']);
}

function validateMandatory(
  name: string,
  spec: View<PriorityLevelConfigurationSpec>,
  findings: Findings,
): void {
  const fixed = MANDATORY_LEVELS.find(({ metadata }) => metadata.name === name);
  if (fixed === undefined) return;
  const isExempt = name === EXEMPT;
  const compared = isExempt ? { ...spec, exempt: fixed.spec.exempt } : spec;
  if (!deepEqual(compared, fixed.spec))
    findings.invalid(
      SPEC,
      spec,
      `spec of '${name}'${isExempt ? " except the 'spec.exempt' field" : ''} must equal the fixed value`,
    );
}

function validateExempt(exempt: View<ExemptPriorityLevelConfiguration>, findings: Findings): void {
  const path = SPEC.child('exempt');
  validateShares(exempt.nominalConcurrencyShares, path, findings);
  validateLendable(exempt.lendablePercent, path, findings);
}

function validateLimited(limited: View<LimitedPriorityLevelConfiguration>, findings: Findings): void {
  const { borrowingLimitPercent: borrowing } = limited;
  validateShares(limited.nominalConcurrencyShares, LIMITED, findings);
  validateResponse(limited.limitResponse ?? {}, findings);
  validateLendable(limited.lendablePercent, LIMITED, findings);
  if (borrowing !== undefined && borrowing < 0)
    findings.invalid(
      LIMITED.child('borrowingLimitPercent'),
      borrowing,
      'if specified, must be a non-negative integer',
    );
}

function validateShares(shares: number | null | undefined, path: FieldPath, findings: Findings): void {
  if ((shares ?? 0) < 0)
    findings.invalid(path.child('nominalConcurrencyShares'), shares, 'must be a non-negative integer');
}

function validateLendable(percent: number | undefined, path: FieldPath, findings: Findings): void {
  if (percent !== undefined && (percent < 0 || percent > 100))
    findings.invalid(path.child('lendablePercent'), percent, 'must be between 0 and 100, inclusive');
}

function validateResponse({ type = '', queuing }: View<LimitResponse>, findings: Findings): void {
  if (type === 'Reject') {
    if (queuing !== undefined)
      findings.forbidden(QUEUING, 'must be nil if limited.limitResponse.type is not Limited');
  } else if (type === 'Queue') {
    if (queuing === undefined)
      findings.required(QUEUING, 'must not be empty if limited.limitResponse.type is Limited');
    else validateQueuing(queuing, findings);
  } else if (type === '') findings.required(RESPONSE.child('type'));
  else findings.notSupported(RESPONSE.child('type'), type, ['Queue', 'Reject']);
}

function validateQueuing(
  { queueLengthLimit = 0, queues = 0, handSize = 0 }: View<QueuingConfiguration>,
  findings: Findings,
): void {
  if (queueLengthLimit <= 0)
    findings.invalid(QUEUING.child('queueLengthLimit'), queueLengthLimit, 'must be positive');
  if (queues <= 0) findings.invalid(QUEUING.child('queues'), queues, 'must be positive');
  else if (queues > MAX_QUEUES)
    findings.invalid(QUEUING.child('queues'), queues, `must not be greater than ${MAX_QUEUES}`);
  const problem = handProblem(queues, handSize);
  if (problem !== undefined) findings.invalid(QUEUING.child('handSize'), handSize, problem);
}

function handProblem(queues: number, handSize: number): string | undefined {
  if (handSize <= 0) return 'must be positive';
  if (handSize > queues) return `should not be greater than queues (${queues})`;
  if (requiredEntropyBits(queues, handSize) <= MAX_HASH_BITS) return undefined;
  return `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAX_HASH_BITS}`;
}
