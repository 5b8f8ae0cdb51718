import type { TablePrinter } from '../../resource/definition.ts';
import type { Stored } from '../../resource/strategy.ts';
import { objectAt, objectsAt } from '../values.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  conditionOf,
  NONE,
  namedAndDated,
  nameOf,
  numberAt,
  type Printers,
  printer,
  selectorText,
  textAt,
  UNSET,
} from './columns.ts';

const webhookPrinter: TablePrinter = printer([column('Webhooks', 'integer'), AGE_COLUMN], (object, now) => [
  objectsAt(object, 'webhooks').length,
  ageOf(object, now),
]);

function policyPrinter(title: string, field: string): TablePrinter {
  return printer([column(title, 'integer'), column('ParamKind'), AGE_COLUMN], (object, now) => {
    const spec = objectAt(object, 'spec');
    const kind = objectAt(spec, 'paramKind');
    return [
      objectsAt(spec, field).length,
      kind === undefined ? UNSET : `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}`,
      ageOf(object, now),
    ];
  });
}

const policyBindingPrinter: TablePrinter = printer(
  [column('PolicyName'), column('ParamRef'), AGE_COLUMN],
  (object, now) => [textAt(objectAt(object, 'spec'), 'policyName'), paramText(object), ageOf(object, now)],
);

/** A number or a percentage. */
function amountText(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : 'N/A';
}

function paramText(binding: Stored): string {
  const reference = objectAt(objectAt(binding, 'spec'), 'paramRef');
  const name = textAt(reference, 'name');
  const namespace = textAt(reference, 'namespace');
  if (name !== '') return namespace === '' ? `*/${name}` : `${namespace}/${name}`;
  const selector = objectAt(reference, 'selector');
  return selector === undefined ? UNSET : selectorText(selector);
}

export const policyPrinters: Printers = {
  'policy/v1/PodDisruptionBudget': printer(
    [
      column('Min Available'),
      column('Max Unavailable'),
      column('Allowed Disruptions', 'integer'),
      AGE_COLUMN,
    ],
    (object, now) => {
      const spec = objectAt(object, 'spec');
      return [
        amountText(spec?.['minAvailable']),
        amountText(spec?.['maxUnavailable']),
        numberAt(objectAt(object, 'status'), 'disruptionsAllowed'),
        ageOf(object, now),
      ];
    },
  ),
  'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration': webhookPrinter,
  'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration': webhookPrinter,
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy': policyPrinter('Validations', 'validations'),
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicy': policyPrinter('Mutations', 'mutations'),
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding': policyBindingPrinter,
  'admissionregistration.k8s.io/v1/MutatingAdmissionPolicyBinding': policyBindingPrinter,
  'apiextensions.k8s.io/v1/CustomResourceDefinition': namedAndDated,
  'apiregistration.k8s.io/v1/APIService': printer(
    [column('Service'), column('Available'), AGE_COLUMN],
    (object, now) => {
      const service = objectAt(objectAt(object, 'spec'), 'service');
      const available = conditionOf(object, 'Available');
      const state = textAt(available, 'status', 'Unknown');
      const reason = textAt(available, 'reason');
      return [
        service === undefined ? 'Local' : `${textAt(service, 'namespace')}/${textAt(service, 'name')}`,
        available === undefined || state === 'True' ? state : `${state} (${reason})`,
        ageOf(object, now),
      ];
    },
  ),
  'coordination.k8s.io/v1/Lease': printer([column('Holder'), AGE_COLUMN], (object, now) => [
    textAt(objectAt(object, 'spec'), 'holderIdentity'),
    ageOf(object, now),
  ]),
  'node.k8s.io/v1/RuntimeClass': printer([column('Handler'), AGE_COLUMN], (object, now) => [
    textAt(object, 'handler'),
    ageOf(object, now),
  ]),
  'scheduling.k8s.io/v1/PriorityClass': {
    columns: [
      ...printer([column('Value', 'integer'), column('Global-Default', 'boolean'), AGE_COLUMN], () => [])
        .columns,
      column('PreemptionPolicy'),
    ],
    cells: (object, now) => [
      nameOf(object),
      numberAt(object, 'value'),
      object['globalDefault'] === true,
      ageOf(object, now),
      textAt(object, 'preemptionPolicy'),
    ],
  },
  'flowcontrol.apiserver.k8s.io/v1/FlowSchema': printer(
    [
      column('PriorityLevel'),
      column('MatchingPrecedence'),
      column('DistinguisherMethod'),
      AGE_COLUMN,
      column('MissingPL'),
    ],
    (object, now) => {
      const spec = objectAt(object, 'spec');
      return [
        textAt(objectAt(spec, 'priorityLevelConfiguration'), 'name'),
        numberAt(spec, 'matchingPrecedence'),
        textAt(objectAt(spec, 'distinguisherMethod'), 'type', NONE),
        ageOf(object, now),
        textAt(conditionOf(object, 'Dangling'), 'status', '?'),
      ];
    },
  ),
  'flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration': printer(
    [
      column('Type'),
      column('NominalConcurrencyShares'),
      column('Queues'),
      column('HandSize'),
      column('QueueLengthLimit'),
      AGE_COLUMN,
    ],
    (object, now) => {
      const spec = objectAt(object, 'spec');
      const limited = objectAt(spec, 'limited');
      const queuing = objectAt(objectAt(limited, 'limitResponse'), 'queuing');
      const shares = limited ?? objectAt(spec, 'exempt');
      return [
        textAt(spec, 'type'),
        shares === undefined ? NONE : numberAt(shares, 'nominalConcurrencyShares'),
        queuing === undefined ? NONE : numberAt(queuing, 'queues'),
        queuing === undefined ? NONE : numberAt(queuing, 'handSize'),
        queuing === undefined ? NONE : numberAt(queuing, 'queueLengthLimit'),
        ageOf(object, now),
      ];
    },
  ),
};
