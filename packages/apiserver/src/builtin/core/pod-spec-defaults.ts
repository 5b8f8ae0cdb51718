import { type Fields, objectAt, objectIn, objectsAt, setDefault, setDefaultText } from '../values.ts';
import { roundResources } from './resource-lists.ts';

const FILE_MODE = 0o644;

/** The defaults of a pod, or of the pods that a template will make. */
export function setPodSpecDefaults(spec: Fields): void {
  setDefaultText(spec, 'restartPolicy', 'Always');
  setDefaultText(spec, 'dnsPolicy', 'ClusterFirst');
  setDefault(spec, 'terminationGracePeriodSeconds', 30);
  setDefault(spec, 'securityContext', {});
  setDefaultText(spec, 'schedulerName', 'default-scheduler');
  // The older name for the same.
  const account = spec['serviceAccountName'] || spec['serviceAccount'];
  if (account) {
    if (spec['serviceAccountName'] !== account) spec['serviceAccountName'] = account;
    if (spec['serviceAccount'] !== account) spec['serviceAccount'] = account;
  }
  const containers = [
    ...objectsAt(spec, 'initContainers'),
    ...objectsAt(spec, 'containers'),
    ...objectsAt(spec, 'ephemeralContainers'),
  ];
  for (const container of containers) setContainerDefaults(container, spec['hostNetwork'] === true);
  for (const container of containers) roundResources(objectAt(container, 'resources'), 'limits', 'requests');
  roundResources(objectAt(spec, 'resources'), 'limits', 'requests');
  roundResources(spec, 'overhead');
  for (const volume of objectsAt(spec, 'volumes')) setVolumeDefaults(volume);
}

/** What only a pod has, not a template: they are set when the pod is made. */
export function setPodOnlyDefaults(spec: Fields): void {
  setDefault(spec, 'enableServiceLinks', true);
  for (const container of [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')])
    setRequestsFromLimits(container);
}

function setContainerDefaults(container: Fields, isHostNetwork: boolean): void {
  setDefaultText(container, 'terminationMessagePath', '/dev/termination-log');
  setDefaultText(container, 'terminationMessagePolicy', 'File');
  setDefaultText(container, 'imagePullPolicy', isLatest(container['image']) ? 'Always' : 'IfNotPresent');
  for (const port of objectsAt(container, 'ports')) {
    setDefaultText(port, 'protocol', 'TCP');
    if (isHostNetwork && (port['hostPort'] === undefined || port['hostPort'] === 0))
      port['hostPort'] = port['containerPort'];
  }
  for (const variable of objectsAt(container, 'env')) {
    const field = objectAt(objectAt(variable, 'valueFrom'), 'fieldRef');
    if (field !== undefined) setDefaultText(field, 'apiVersion', 'v1');
    const resource = objectAt(objectAt(variable, 'valueFrom'), 'resourceFieldRef');
    if (resource !== undefined) setDefault(resource, 'divisor', '0');
  }
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = objectAt(container, name);
    if (probe !== undefined) setProbeDefaults(probe);
  }
  const lifecycle = objectAt(container, 'lifecycle');
  for (const hook of ['postStart', 'preStop'])
    setHttpDefaults(objectAt(objectAt(lifecycle, hook), 'httpGet'));
}

function setProbeDefaults(probe: Fields): void {
  const positive = (field: string, value: number): void => {
    if (probe[field] === undefined || probe[field] === 0) probe[field] = value;
  };
  positive('timeoutSeconds', 1);
  positive('periodSeconds', 10);
  positive('successThreshold', 1);
  positive('failureThreshold', 3);
  setHttpDefaults(objectAt(probe, 'httpGet'));
  const grpc = objectAt(probe, 'grpc');
  if (grpc !== undefined) setDefault(grpc, 'service', '');
}

function setHttpDefaults(action: Fields | undefined): void {
  if (action === undefined) return;
  setDefaultText(action, 'path', '/');
  setDefaultText(action, 'scheme', 'HTTP');
}

/** A limit without a request asks for as much. */
function setRequestsFromLimits(container: Fields): void {
  const resources = objectAt(container, 'resources');
  const limits = objectAt(resources, 'limits');
  if (resources === undefined || limits === undefined) return;
  const requests = objectIn(resources, 'requests');
  for (const [name, value] of Object.entries(limits)) setDefault(requests, name, value);
}

function setVolumeDefaults(volume: Fields): void {
  if (Object.keys(volume).every((field) => field === 'name')) volume['emptyDir'] = {};
  for (const source of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    const projection = objectAt(volume, source);
    if (projection !== undefined) setDefault(projection, 'defaultMode', FILE_MODE);
  }
  const downward = [...objectsAt(objectAt(volume, 'downwardAPI'), 'items')];
  for (const projected of objectsAt(objectAt(volume, 'projected'), 'sources')) {
    const token = objectAt(projected, 'serviceAccountToken');
    if (token !== undefined) setDefault(token, 'expirationSeconds', 3600);
    downward.push(...objectsAt(objectAt(projected, 'downwardAPI'), 'items'));
  }
  for (const item of downward) {
    const field = objectAt(item, 'fieldRef');
    if (field !== undefined) setDefaultText(field, 'apiVersion', 'v1');
  }
  const hostPath = objectAt(volume, 'hostPath');
  if (hostPath !== undefined) setDefault(hostPath, 'type', '');
  setSourceDefaults(volume);
  const claim = objectAt(objectAt(volume, 'ephemeral'), 'volumeClaimTemplate');
  const claimSpec = objectAt(claim, 'spec');
  if (claimSpec === undefined) return;
  setDefault(claimSpec, 'volumeMode', 'Filesystem');
  roundResources(objectAt(claimSpec, 'resources'), 'limits', 'requests');
}

/** Of sources that the volumes of pods and persistent ones share. */
export function setSourceDefaults(parent: Fields): void {
  const iscsi = objectAt(parent, 'iscsi');
  if (iscsi !== undefined) setDefaultText(iscsi, 'iscsiInterface', 'default');
  const rbd = objectAt(parent, 'rbd');
  if (rbd !== undefined) {
    setDefaultText(rbd, 'pool', 'rbd');
    setDefaultText(rbd, 'user', 'admin');
    setDefaultText(rbd, 'keyring', '/etc/ceph/keyring');
  }
  const disk = objectAt(parent, 'azureDisk');
  if (disk !== undefined) {
    setDefault(disk, 'cachingMode', 'ReadWrite');
    setDefault(disk, 'kind', 'Shared');
    setDefault(disk, 'fsType', 'ext4');
    setDefault(disk, 'readOnly', false);
  }
  const scaleIo = objectAt(parent, 'scaleIO');
  if (scaleIo === undefined) return;
  setDefaultText(scaleIo, 'storageMode', 'ThinProvisioned');
  setDefaultText(scaleIo, 'fsType', 'xfs');
}

/** An image without a tag, or with the tag `latest`, may change under its name. */
function isLatest(image: unknown): boolean {
  if (typeof image !== 'string' || image.includes('@')) return false;
  const name = image.slice(image.lastIndexOf('/') + 1);
  const colon = name.indexOf(':');
  return colon === -1 || name.slice(colon + 1) === 'latest';
}
