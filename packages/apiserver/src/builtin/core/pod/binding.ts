import {
  aggregateFieldErrors,
  FieldPath,
  failureStatus,
  fieldNotSupported,
  fieldRequired,
  formatTime,
  newBadRequest,
  newConflict,
  StatusError,
} from '@windlass/apimachinery';
import { type Binding, Pod } from '@windlass/apimachinery/api/core/v1';
import type { RequestContext } from '../../../request/context.ts';
import type { SubresourceHandler } from '../../../resource/definition.ts';
import type { DraftOf, View } from '../../../resource/views.ts';
import type { BuiltinServices } from '../../builtin-services.ts';
import { Scope, SUCCESS } from '../../shared/scope.ts';
import { bodyAs } from '../../shared/subresource-body.ts';

const TARGET = FieldPath.of('target');

/** `pods/binding`: the scheduler's word on where a pod shall run. It is said once. */
export function podBinding({ runtime }: BuiltinServices): SubresourceHandler {
  return async ({ namespace, name, body, context }) => {
    const binding = bodyAs<Binding>({ group: '', version: 'v1', kind: 'Binding' }, body);
    const given = binding.metadata?.name ?? '';
    if (given !== '' && given !== name)
      throw newBadRequest('name in URL does not match name in Binding object');
    await bindPod(new Scope(runtime, context), namespace, name, binding, context);
    return { status: 201, object: SUCCESS };
  };
}

/** The older way: a POST of a Binding to the namespace. */
export function bindingReview({
  runtime,
}: BuiltinServices): (binding: View<Binding>, context: RequestContext) => Promise<object> {
  return async (binding, context) => {
    const { namespace = '', name = '' } = binding.metadata ?? {};
    await bindPod(new Scope(runtime, context), namespace, name, binding, context);
    return SUCCESS;
  };
}

async function bindPod(
  scope: Scope,
  namespace: string,
  name: string,
  {
    target: { kind = '', name: node = '' } = {},
    metadata: { uid, resourceVersion, annotations } = {},
  }: View<Binding>,
  context: RequestContext,
): Promise<void> {
  const errors = [];
  if (kind !== '' && kind !== 'Node')
    errors.push(fieldNotSupported(TARGET.child('kind'), kind, ['Node', '<empty>']));
  if (node === '') errors.push(fieldRequired(TARGET.child('name')));
  // Upstream has no reason for it, and calls it its own fault.
  if (errors.length > 0) throw new StatusError(failureStatus(500, '', aggregateFieldErrors(errors)));
  const conflict = (why: string): Error => newConflict({ group: '', resource: 'pods/binding' }, name, why);
  await scope.change(scope.target(Pod, namespace, name), 'binding', (pod) => {
    pod.spec ??= {};
    const { spec } = pod;
    if (uid !== undefined && uid !== '' && uid !== pod.metadata?.uid) {
      throw conflict(
        `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${pod.metadata?.uid ?? ''}`,
      );
    }
    if (
      resourceVersion !== undefined &&
      resourceVersion !== '' &&
      resourceVersion !== pod.metadata?.resourceVersion
    ) {
      throw conflict(
        `Precondition failed: ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${pod.metadata?.resourceVersion ?? ''}`,
      );
    }
    if (pod.metadata?.deletionTimestamp !== undefined)
      throw conflict(`pod ${name} is being deleted, cannot be assigned to a host`);
    if ((spec.nodeName ?? '') !== '')
      throw conflict(`pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
    if ((spec.schedulingGates ?? []).length > 0)
      throw conflict(`pod ${name} has non-empty .spec.schedulingGates`);
    spec.nodeName = node;
    // The scheduler may pass notes on to whoever runs the pod.
    if (annotations !== undefined && pod.metadata !== undefined)
      pod.metadata.annotations = { ...pod.metadata.annotations, ...annotations };
    setScheduled(pod, formatTime(context.clock.now()));
  });
}

function setScheduled(pod: DraftOf<Pod>, now: string): void {
  pod.status ??= {};
  const others = (pod.status.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  pod.status.conditions = [
    ...others,
    { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now },
  ];
}
