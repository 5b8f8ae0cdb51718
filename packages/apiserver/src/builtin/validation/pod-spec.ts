import {
  compareQuantities,
  type FieldError,
  type FieldPath,
  fieldDuplicate,
  fieldInvalid,
  fieldNotFound,
  fieldRequired,
  validateDns1123Label,
  validatePortName,
  validatePortNumber,
  validateRelaxedEnvVarName,
} from '@windlass/apimachinery';
import { textAt } from '../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const PROBE_NUMBERS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
];

/** What every pod needs to run at all, and a template of pods with it. */
export function validatePodSpec(spec: Readonly<Fields>, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const volumes = new Set<string>();
  for (const [index, volume] of objectsAt(spec, 'volumes').entries())
    errors.push(
      ...uniqueLabel(textAt(volume, 'name'), volumes, path.child('volumes').index(index).child('name')),
    );
  if (objectsAt(spec, 'containers').length === 0) errors.push(fieldRequired(path.child('containers')));
  const names = new Set<string>();
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const [index, container] of objectsAt(spec, list).entries()) {
      const at = path.child(list).index(index);
      errors.push(...uniqueLabel(textAt(container, 'name'), names, at.child('name')));
      errors.push(...validateContainer(container, volumes, at));
    }
  }
  const grace = spec['terminationGracePeriodSeconds'];
  if (typeof grace === 'number' && grace < 0)
    errors.push(notNegative(path.child('terminationGracePeriodSeconds'), grace));
  const deadline = spec['activeDeadlineSeconds'];
  if (typeof deadline === 'number' && (deadline < 1 || deadline > 2_147_483_647)) {
    errors.push(
      fieldInvalid(
        path.child('activeDeadlineSeconds'),
        deadline,
        'must be between 1 and 2147483647, inclusive',
      ),
    );
  }
  return errors;
}

function validateContainer(container: Fields, volumes: ReadonlySet<string>, at: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  // Templates may leave it to whoever fills them in, pods may not; upstream asks for it in both.
  if (textAt(container, 'image') === '') errors.push(fieldRequired(at.child('image')));
  errors.push(...validatePorts(container, at.child('ports')));
  for (const [index, variable] of objectsAt(container, 'env').entries()) {
    const name = textAt(variable, 'name');
    const path = at.child('env').index(index).child('name');
    if (name === '') errors.push(fieldRequired(path));
    else errors.push(...validateRelaxedEnvVarName(name).map((why) => fieldInvalid(path, name, why)));
  }
  const paths = new Set<string>();
  for (const [index, mount] of objectsAt(container, 'volumeMounts').entries()) {
    const path = at.child('volumeMounts').index(index);
    const name = textAt(mount, 'name');
    const mountPath = textAt(mount, 'mountPath');
    if (name === '') errors.push(fieldRequired(path.child('name')));
    else if (!volumes.has(name)) errors.push(fieldNotFound(path.child('name'), name));
    if (mountPath === '') errors.push(fieldRequired(path.child('mountPath')));
    if (paths.has(mountPath)) errors.push(fieldInvalid(path.child('mountPath'), mountPath, 'must be unique'));
    paths.add(mountPath);
  }
  for (const field of PROBES) {
    const probe = objectAt(container, field);
    for (const number of PROBE_NUMBERS) {
      const value = probe?.[number];
      if (typeof value === 'number' && value < 0) errors.push(notNegative(at.child(field, number), value));
    }
  }
  errors.push(...validateResources(objectAt(container, 'resources'), at.child('resources')));
  return errors;
}

function validatePorts(container: Fields, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, port] of objectsAt(container, 'ports').entries()) {
    const at = path.index(index);
    const name = textAt(port, 'name');
    if (name !== '') {
      errors.push(...validatePortName(name).map((why) => fieldInvalid(at.child('name'), name, why)));
      if (names.has(name)) errors.push(fieldDuplicate(at.child('name'), name));
      names.add(name);
    }
    const number = port['containerPort'];
    if (typeof number !== 'number' || number === 0) errors.push(fieldRequired(at.child('containerPort')));
    else
      errors.push(
        ...validatePortNumber(number).map((why) => fieldInvalid(at.child('containerPort'), number, why)),
      );
    const host = port['hostPort'];
    if (typeof host === 'number' && host !== 0)
      errors.push(...validatePortNumber(host).map((why) => fieldInvalid(at.child('hostPort'), host, why)));
  }
  return errors;
}

/** Nobody may ask for more than the limit, or for less than nothing. */
function validateResources(resources: Fields | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const limits = objectAt(resources, 'limits') ?? {};
  const requests = objectAt(resources, 'requests') ?? {};
  for (const [list, values] of [
    ['limits', limits],
    ['requests', requests],
  ] as const) {
    for (const [name, value] of Object.entries(values)) {
      if (typeof value === 'string' && compareQuantities(value, '0') < 0)
        errors.push(notNegative(path.child(list).key(name), value));
    }
  }
  for (const [name, request] of Object.entries(requests)) {
    const limit = limits[name];
    if (typeof request !== 'string' || typeof limit !== 'string' || compareQuantities(request, limit) <= 0)
      continue;
    errors.push(
      fieldInvalid(
        path.child('requests'),
        request,
        `must be less than or equal to ${name} limit of ${limit}`,
      ),
    );
  }
  return errors;
}

function uniqueLabel(name: string, seen: Set<string>, path: FieldPath): FieldError[] {
  if (name === '') return [fieldRequired(path)];
  const errors = validateDns1123Label(name).map((why) => fieldInvalid(path, name, why));
  if (seen.has(name)) errors.push(fieldDuplicate(path, name));
  seen.add(name);
  return errors;
}

export function notNegative(path: FieldPath, value: unknown): FieldError {
  return fieldInvalid(path, value, 'must be greater than or equal to 0');
}
