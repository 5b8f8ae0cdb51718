import type { Stored } from '../resource/strategy.ts';
import { valueAt } from './immutable.ts';

type Readers = Readonly<Record<string, (object: Stored) => string>>;

/** A field by its own path, as text; `empty` where it is absent. */
function fields(paths: readonly string[], empty = ''): Readers {
  return Object.fromEntries(paths.map((path) => [path, (object) => textOf(valueAt(object, path), empty)]));
}

function textOf(value: unknown, empty: string): string {
  const isPlain = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isPlain ? String(value) : empty;
}

const REFERENCE = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

function firstText(object: Stored, ...paths: readonly string[]): string {
  for (const path of paths) {
    const value = valueAt(object, path);
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

/** What field selectors may ask of each kind, besides its name and namespace. */
export const builtinSelectableFields: Readonly<Record<string, Readers>> = {
  '/v1/Pod': {
    ...fields([
      'spec.nodeName',
      'spec.restartPolicy',
      'spec.schedulerName',
      'spec.serviceAccountName',
      'status.phase',
      'status.nominatedNodeName',
    ]),
    // The oldest name of the node that a pod is on.
    'spec.host': (object) => firstText(object, 'spec.nodeName'),
    ...fields(['spec.hostNetwork'], 'false'),
    'status.podIP': (object) => firstText(object, 'status.podIPs.0.ip', 'status.podIP'),
    'status.podIPs': (object) => firstText(object, 'status.podIPs.0.ip', 'status.podIP'),
  },
  '/v1/Node': fields(['spec.unschedulable'], 'false'),
  '/v1/Namespace': fields(['status.phase']),
  '/v1/Secret': fields(['type']),
  '/v1/Service': fields(['spec.clusterIP', 'spec.type']),
  '/v1/ReplicationController': fields(['status.replicas'], '0'),
  '/v1/Event': {
    ...fields(REFERENCE.map((field) => `involvedObject.${field}`)),
    ...fields(['reason', 'type', 'reportingComponent']),
    source: (object) => firstText(object, 'source.component', 'reportingComponent'),
  },
  'events.k8s.io/v1/Event': {
    ...fields(REFERENCE.map((field) => `regarding.${field}`)),
    ...fields(['reason', 'type', 'reportingController']),
  },
  'batch/v1/Job': {
    'status.successful': (object) => textOf(valueAt(object, 'status.succeeded'), '0'),
  },
  'certificates.k8s.io/v1/CertificateSigningRequest': fields(['spec.signerName']),
  'resource.k8s.io/v1/ResourceSlice': fields(['spec.nodeName', 'spec.driver']),
};
