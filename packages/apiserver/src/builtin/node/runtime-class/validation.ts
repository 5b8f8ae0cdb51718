import { encodeJson, FieldPath, validateLabels } from '@windlass/apimachinery';
import type { RuntimeClass } from '@windlass/apimachinery/api/node/v1';
import type { View } from '../../../resource/views.ts';
import { validateContainerResources } from '../../core/pod-spec/resources.ts';
import { validateTolerations } from '../../core/pod-spec/tolerations.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';

const HANDLER = FieldPath.of('handler');
const SCHEDULING = FieldPath.of('scheduling');

export const runtimeClassValidation: ValidationOf<RuntimeClass> = {
  create: validateRuntimeClass,
  update(object, old, findings) {
    validateRuntimeClass(object, findings);
    findings.immutable(HANDLER, object.handler ?? '', old.handler ?? '');
  },
};

function validateRuntimeClass(object: View<RuntimeClass>, findings: Findings): void {
  const { handler = '', overhead, scheduling } = object;
  if (handler === '') findings.required(HANDLER);
  else findings.label(HANDLER, handler);
  if (overhead !== undefined)
    validateContainerResources(
      { limits: overhead.podFixed ?? {} },
      new Set(),
      FieldPath.of('overhead'),
      findings,
    );
  findings.add(validateLabels(scheduling?.nodeSelector ?? {}, SCHEDULING.child('nodeSelector')));
  const path = SCHEDULING.child('tolerations');
  const tolerations = scheduling?.tolerations ?? [];
  validateTolerations(tolerations, path, findings);
  const seen = new Set<string>();
  for (const [index, toleration] of tolerations.entries()) {
    const { tolerationSeconds: _seconds, ...key } = toleration;
    const text = encodeJson(key, { stable: true });
    if (seen.has(text)) findings.duplicate(path.index(index), toleration);
    seen.add(text);
  }
}
