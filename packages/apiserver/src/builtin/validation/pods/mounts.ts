import type { FieldPath } from '@windlass/apimachinery';
import { textAt } from '../../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../../values.ts';
import { validateRelativePath } from '../file-paths.ts';
import type { Findings } from '../findings.ts';

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];

export function validateMounts(
  container: Fields,
  volumes: ReadonlyMap<string, Fields>,
  path: FieldPath,
  findings: Findings,
): void {
  const mounts = objectsAt(container, 'volumeMounts');
  const devices = objectsAt(container, 'volumeDevices');
  const points = new Set<string>();
  const at = path.child('volumeMounts');
  for (const [index, mount] of mounts.entries()) {
    const where = at.index(index);
    const [name, point] = [textAt(mount, 'name'), textAt(mount, 'mountPath')];
    if (name === '') findings.required(where.child('name'));
    if (!volumes.has(name)) findings.notFound(where.child('name'), name);
    if (point === '') findings.required(where.child('mountPath'));
    if (points.has(point)) findings.invalid(where.child('mountPath'), point, 'must be unique');
    points.add(point);
    if (devices.some((device) => textAt(device, 'name') === name))
      findings.invalid(where.child('name'), name, 'must not already exist in volumeDevices');
    if (devices.some((device) => textAt(device, 'devicePath') === point))
      findings.invalid(where.child('mountPath'), point, 'must not already exist as a path in volumeDevices');
    validateSubPaths(mount, where, at, findings);
    validatePropagation(mount, container, at, findings);
  }
  validateDevices(devices, mounts, volumes, path.child('volumeDevices'), findings);
}

/** Upstream leaves out which mount it is. */
function validateSubPaths(mount: Fields, where: FieldPath, at: FieldPath, findings: Findings): void {
  const [subPath, expression] = [textAt(mount, 'subPath'), textAt(mount, 'subPathExpr')];
  if (subPath !== '') validateRelativePath(subPath, at.child('subPath'), findings);
  if (expression === '') return;
  if (subPath !== '')
    findings.invalid(
      where.child('subPathExpr'),
      expression,
      'subPathExpr and subPath are mutually exclusive',
    );
  validateRelativePath(expression, at.child('subPathExpr'), findings);
}

function validatePropagation(mount: Fields, container: Fields, at: FieldPath, findings: Findings): void {
  const propagation = mount['mountPropagation'];
  findings.oneOf(at.child('mountPropagation'), propagation, PROPAGATIONS);
  const isPrivileged = objectAt(container, 'securityContext')?.['privileged'] === true;
  if (propagation === 'Bidirectional' && !isPrivileged)
    findings.forbidden(
      at.child('mountPropagation'),
      'Bidirectional mount propagation is available only to privileged containers',
    );
  const recursive = mount['recursiveReadOnly'];
  const path = at.child('recursiveReadOnly');
  if (recursive === 'Enabled' || recursive === 'IfPossible') {
    if (mount['readOnly'] !== true) findings.forbidden(path, 'may only be specified when readOnly is true');
    if (propagation !== undefined && propagation !== 'None')
      findings.forbidden(path, 'may only be specified when mountPropagation is None or not specified');
  } else findings.oneOf(path, recursive, ['Disabled', 'Enabled', 'IfPossible']);
}

function validateDevices(
  devices: readonly Fields[],
  mounts: readonly Fields[],
  volumes: ReadonlyMap<string, Fields>,
  path: FieldPath,
  findings: Findings,
): void {
  const [names, paths] = [new Set<string>(), new Set<string>()];
  for (const [index, device] of devices.entries()) {
    const at = path.index(index);
    const [name, file] = [textAt(device, 'name'), textAt(device, 'devicePath')];
    const volume = volumes.get(name);
    if (name === '') findings.required(at.child('name'));
    if (names.has(name)) findings.invalid(at.child('name'), name, 'must be unique');
    if (volume === undefined) findings.notFound(at.child('name'), name);
    else if (volume['persistentVolumeClaim'] === undefined && volume['ephemeral'] === undefined)
      findings.invalid(
        at.child('name'),
        name,
        'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      );
    if (file === '') findings.required(at.child('devicePath'));
    if (paths.has(file)) findings.invalid(at.child('devicePath'), file, 'must be unique');
    if (file.split('/').includes('..'))
      findings.invalid(at.child('devicePath'), file, "can not contain backsteps ('..')");
    else paths.add(file);
    if (mounts.some((mount) => textAt(mount, 'name') === name))
      findings.invalid(at.child('name'), name, 'must not already exist in volumeMounts');
    if (mounts.some((mount) => textAt(mount, 'mountPath') === file))
      findings.invalid(at.child('devicePath'), file, 'must not already exist as a path in volumeMounts');
    if (name !== '') names.add(name);
  }
}
