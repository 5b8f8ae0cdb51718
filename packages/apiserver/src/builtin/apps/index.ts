import type { BuiltinKind } from '../define-kind.ts';
import { controllerRevision } from './controller-revision/index.ts';
import { daemonSet } from './daemon-set/index.ts';
import { deployment } from './deployment/index.ts';
import { replicaSet } from './replica-set/index.ts';
import { statefulSet } from './stateful-set/index.ts';

export const appsKinds: readonly BuiltinKind[] = [
  controllerRevision,
  daemonSet,
  deployment,
  replicaSet,
  statefulSet,
];
