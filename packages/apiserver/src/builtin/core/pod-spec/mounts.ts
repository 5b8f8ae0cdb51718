import type { FieldPath } from '@windlass/apimachinery';
import type { Container, Volume, VolumeDevice, VolumeMount } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { validateRelativePath } from '../../shared/file-paths.ts';
import type { Findings } from '../../shared/findings.ts';

const PROPAGATIONS = ['Bidirectional', 'HostToContainer', 'None'];

export function validateMounts(
  container: View<Container>,
  volumes: ReadonlyMap<string, View<Volume>>,
  path: FieldPath,
  findings: Findings,
): void {
  const mounts = container.volumeMounts ?? [];
  const devices = container.volumeDevices ?? [];
  const points = new Set<string>();
  const deviceNames = new Set(devices.map(({ name = '' }) => name));
  const devicePaths = new Set(devices.map(({ devicePath = '' }) => devicePath));
  const at = path.child('volumeMounts');
  for (const [index, mount] of mounts.entries()) {
    const where = at.index(index);
    const { name = '', mountPath: point = '' } = mount;
    if (name === '') findings.required(where.child('name'));
    if (!volumes.has(name)) findings.notFound(where.child('name'), name);
    if (point === '') findings.required(where.child('mountPath'));
    if (points.has(point)) findings.invalid(where.child('mountPath'), point, 'must be unique');
    points.add(point);
    if (deviceNames.has(name))
      findings.invalid(where.child('name'), name, 'must not already exist in volumeDevices');
    if (devicePaths.has(point))
      findings.invalid(where.child('mountPath'), point, 'must not already exist as a path in volumeDevices');
    validateSubPaths(mount, where, at, findings);
    validatePropagation(mount, container.securityContext?.privileged === true, at, findings);
  }
  validateDevices(devices, mounts, volumes, path.child('volumeDevices'), findings);
}

/** Upstream leaves out which mount it is. */
function validateSubPaths(
  { subPath = '', subPathExpr: expression = '' }: View<VolumeMount>,
  where: FieldPath,
  at: FieldPath,
  findings: Findings,
): void {
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

function validatePropagation(
  { mountPropagation: propagation, recursiveReadOnly: recursive, readOnly }: View<VolumeMount>,
  isPrivileged: boolean,
  at: FieldPath,
  findings: Findings,
): void {
  findings.oneOf(at.child('mountPropagation'), propagation, PROPAGATIONS);
  if (propagation === 'Bidirectional' && !isPrivileged)
    findings.forbidden(
      at.child('mountPropagation'),
      'Bidirectional mount propagation is available only to privileged containers',
    );
  const path = at.child('recursiveReadOnly');
  if (recursive === 'Enabled' || recursive === 'IfPossible') {
    if (readOnly !== true) findings.forbidden(path, 'may only be specified when readOnly is true');
    if (propagation !== undefined && propagation !== 'None')
      findings.forbidden(path, 'may only be specified when mountPropagation is None or not specified');
  } else findings.oneOf(path, recursive, ['Disabled', 'Enabled', 'IfPossible']);
}

function validateDevices(
  devices: readonly View<VolumeDevice>[],
  mounts: readonly View<VolumeMount>[],
  volumes: ReadonlyMap<string, View<Volume>>,
  path: FieldPath,
  findings: Findings,
): void {
  const [names, paths] = [new Set<string>(), new Set<string>()];
  const mountNames = new Set(mounts.map(({ name = '' }) => name));
  const mountPaths = new Set(mounts.map(({ mountPath = '' }) => mountPath));
  for (const [index, { name = '', devicePath: file = '' }] of devices.entries()) {
    const at = path.index(index);
    const volume = volumes.get(name);
    if (name === '') findings.required(at.child('name'));
    if (names.has(name)) findings.invalid(at.child('name'), name, 'must be unique');
    if (volume === undefined) findings.notFound(at.child('name'), name);
    else if (volume.persistentVolumeClaim === undefined && volume.ephemeral === undefined)
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
    if (mountNames.has(name))
      findings.invalid(at.child('name'), name, 'must not already exist in volumeMounts');
    if (mountPaths.has(file))
      findings.invalid(at.child('devicePath'), file, 'must not already exist as a path in volumeMounts');
    if (name !== '') names.add(name);
  }
}
