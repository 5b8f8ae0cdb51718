import { deepEqual, FieldPath, validateLabels } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { textAt } from '../printers/columns.ts';
import { objectAt, objectsAt } from '../values.ts';
import type { Findings } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';
import { validateContainerResources } from './pods/resources.ts';
import { validateTolerations } from './pods/scheduling.ts';

export const runtimeClassValidations: ValidationsByKind = {
  'node.k8s.io/v1/RuntimeClass': {
    create: validateRuntimeClass,
    update(object, old, findings) {
      validateRuntimeClass(object, findings);
      findings.immutable(FieldPath.of('handler'), textAt(object, 'handler'), textAt(old, 'handler'));
    },
  },
};

function validateRuntimeClass(object: Stored, findings: Findings): void {
  const handler = textAt(object, 'handler');
  if (handler === '') findings.required(FieldPath.of('handler'));
  else findings.label(FieldPath.of('handler'), handler);
  const overhead = objectAt(object, 'overhead');
  if (overhead !== undefined)
    validateContainerResources(
      { limits: objectAt(overhead, 'podFixed') ?? {} },
      new Set(),
      FieldPath.of('overhead'),
      findings,
    );
  const scheduling = objectAt(object, 'scheduling');
  const path = FieldPath.of('scheduling');
  // The typed form makes them texts.
  const selector = (objectAt(scheduling, 'nodeSelector') ?? {}) as Record<string, string>;
  findings.add(validateLabels(selector, path.child('nodeSelector')));
  const tolerations = objectsAt(scheduling, 'tolerations');
  validateTolerations(tolerations, path.child('tolerations'), findings);
  const keys = tolerations.map(({ tolerationSeconds: _seconds, ...key }) => key);
  for (const [index, toleration] of tolerations.entries())
    if (keys.findIndex((key) => deepEqual(key, keys[index])) < index)
      findings.duplicate(path.child('tolerations').index(index), toleration);
}
