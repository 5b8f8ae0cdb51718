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
import type { RequestContext } from '../../request/context.ts';
import type { SubresourceHandler } from '../../resource/definition.ts';
import type { Draft } from '../../resource/strategy.ts';
import type { BuiltinServices } from '../services.ts';
import { objectAt, objectIn, objectsAt } from '../values.ts';
import { Scope, SUCCESS } from './scope.ts';

/** `pods/binding`: the scheduler's word on where a pod shall run. It is said once. */
export function podBinding({ runtime }: BuiltinServices): SubresourceHandler {
  return async ({ namespace, name, body, context }) => {
    if (body === undefined) throw newBadRequest('the body must be a Binding');
    const given = body.metadata?.name ?? '';
    if (given !== '' && given !== name)
      throw newBadRequest('name in URL does not match name in Binding object');
    await bindPod(new Scope(runtime, context), namespace, name, body, context);
    return { status: 201, object: SUCCESS };
  };
}

/** The older way: a POST of a Binding to the namespace. */
export function bindingReview({
  runtime,
}: BuiltinServices): (draft: Draft, context: RequestContext) => Promise<object> {
  return async (draft, context) => {
    await bindPod(
      new Scope(runtime, context),
      draft.metadata?.namespace ?? '',
      draft.metadata?.name ?? '',
      draft,
      context,
    );
    return SUCCESS;
  };
}

async function bindPod(
  scope: Scope,
  namespace: string,
  name: string,
  binding: Draft,
  context: RequestContext,
): Promise<void> {
  const target = objectAt(binding, 'target');
  const kind = target?.['kind'];
  const node = target?.['name'];
  const path = FieldPath.of('target');
  const errors = [];
  if (kind !== undefined && kind !== '' && kind !== 'Node')
    errors.push(fieldNotSupported(path.child('kind'), kind, ['Node', '<empty>']));
  if (typeof node !== 'string' || node === '') errors.push(fieldRequired(path.child('name')));
  // Upstream has no reason for it, and calls it its own fault.
  if (errors.length > 0) throw new StatusError(failureStatus(500, '', aggregateFieldErrors(errors)));
  const conflict = (why: string): Error => newConflict({ group: '', resource: 'pods/binding' }, name, why);
  const { uid, resourceVersion } = binding.metadata ?? {};
  await scope.change(scope.target('', 'pods', namespace, name), 'binding', (pod) => {
    const spec = objectIn(pod, 'spec');
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
    if (typeof spec['nodeName'] === 'string' && spec['nodeName'] !== '')
      throw conflict(`pod ${name} is already assigned to node ${JSON.stringify(spec['nodeName'])}`);
    if (objectsAt(spec, 'schedulingGates').length > 0)
      throw conflict(`pod ${name} has non-empty .spec.schedulingGates`);
    spec['nodeName'] = node;
    // The scheduler may pass notes on to whoever runs the pod.
    const annotations = binding.metadata?.annotations;
    if (annotations !== undefined && pod.metadata !== undefined)
      pod.metadata.annotations = { ...pod.metadata.annotations, ...annotations };
    setScheduled(pod, formatTime(context.clock.now()));
  });
}

function setScheduled(pod: Draft, now: string): void {
  const status = objectIn(pod, 'status');
  const conditions = objectsAt(status, 'conditions');
  const others = conditions.filter((condition) => condition['type'] !== 'PodScheduled');
  others.push({
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: now,
  });
  status['conditions'] = others;
}
