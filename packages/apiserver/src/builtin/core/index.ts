import type { BuiltinKind } from '../define-kind.ts';
import { binding } from './binding/index.ts';
import { configMap } from './config-map/index.ts';
import { endpoints } from './endpoints/index.ts';
import { event } from './event/index.ts';
import { limitRange } from './limit-range/index.ts';
import { namespace } from './namespace/index.ts';
import { node } from './node/index.ts';
import { persistentVolume } from './persistent-volume/index.ts';
import { persistentVolumeClaim } from './persistent-volume-claim/index.ts';
import { pod } from './pod/index.ts';
import { podTemplate } from './pod-template/index.ts';
import { replicationController } from './replication-controller/index.ts';
import { resourceQuota } from './resource-quota/index.ts';
import { secret } from './secret/index.ts';
import { service } from './service/index.ts';
import { serviceAccount } from './service-account/index.ts';

export const coreKinds: readonly BuiltinKind[] = [
  binding,
  configMap,
  endpoints,
  event,
  limitRange,
  namespace,
  node,
  persistentVolume,
  persistentVolumeClaim,
  pod,
  podTemplate,
  replicationController,
  resourceQuota,
  secret,
  service,
  serviceAccount,
];
