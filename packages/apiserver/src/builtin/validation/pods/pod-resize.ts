import { deepEqual, FieldPath } from '@windlass/apimachinery';
import type { Stored } from '../../../resource/strategy.ts';
import { qosClassOf } from '../../core/qos-class.ts';
import { textAt } from '../../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../../values.ts';
import type { Findings } from '../findings.ts';

const SPEC = FieldPath.of('spec');
const RESIZABLE = new Set(['cpu', 'memory']);

/** Of a pod that runs, what its containers ask of processor and memory may change, and nothing else. */
export function validateResize(pod: Stored, old: Stored, findings: Findings): void {
  const [spec, before] = [objectAt(pod, 'spec') ?? {}, objectAt(old, 'spec') ?? {}];
  const qos = qosClassOf(spec);
  if (qos !== objectAt(old, 'status')?.['qosClass'])
    findings.invalid(
      SPEC,
      objectAt(pod, 'status')?.['qosClass'],
      'Pod QOS Class may not change as a result of resizing',
    );
  const lists = ['containers', 'initContainers'];
  const isSame = lists.map((list) => validateOrder(list, spec, before, findings)).every(Boolean);
  if (!isSame) return;
  for (const list of lists)
    for (const [index, container] of objectsAt(before, list).entries())
      validateContainer(list, index, objectsAt(spec, list)[index] ?? {}, container, findings);
}

function validateOrder(list: string, spec: Fields, before: Fields, findings: Findings): boolean {
  const [now, then] = [objectsAt(spec, list), objectsAt(before, list)];
  const path = SPEC.child(list);
  if (now.length !== then.length) {
    findings.forbidden(path, `${list} may not be added or removed on resize`);
    return false;
  }
  const moved = then.flatMap((container, index) =>
    textAt(container, 'name') === textAt(now[index], 'name') ? [] : [index],
  );
  for (const index of moved)
    findings.forbidden(path.index(index).child('name'), `${list} may not be renamed or reordered on resize`);
  return moved.length === 0;
}

function validateContainer(
  list: string,
  index: number,
  now: Fields,
  before: Fields,
  findings: Findings,
): void {
  const isInit = list === 'initContainers';
  const path = SPEC.child(list).index(index);
  const isSidecar = before['restartPolicy'] === 'Always';
  if (isInit && !isSidecar) {
    if (!deepEqual(now, before))
      findings.forbidden(SPEC, 'resources for non-sidecar init containers are immutable');
    return;
  }
  const amounts = (container: Fields, field: string): Fields =>
    objectAt(objectAt(container, 'resources'), field) ?? {};
  for (const field of ['requests', 'limits'])
    if (Object.keys(amounts(before, field)).some((name) => amounts(now, field)[name] === undefined))
      findings.forbidden(path.child('resources', field), `resource ${field} cannot be removed`);
  const others = (container: Fields): Fields => ({
    ...container,
    resources: ['requests', 'limits'].map((field) =>
      Object.entries(amounts(container, field)).filter(([name]) => !RESIZABLE.has(name)),
    ),
  });
  if (deepEqual(others(now), others(before))) return;
  if (isInit)
    findings.forbidden(path, 'only cpu and memory resources for init or sidecar containers are mutable');
  else findings.forbidden(SPEC, 'only cpu and memory resources are mutable');
}
