import { autoscalers } from './autoscalers.ts';
import { cleanUp } from './clean-up.ts';
import { daemonSets } from './daemon-sets.ts';
import { deployments } from './deployments.ts';
import { jobs } from './jobs.ts';
import { quotasAndVolumes } from './quotas-and-volumes.ts';
import { replicas } from './replicas.ts';
import type { Scenario } from './scenario.ts';
import { services } from './services.ts';
import { statefulSets } from './stateful-sets.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...replicas,
  ...deployments,
  ...statefulSets,
  ...jobs,
  ...cleanUp,
  ...services,
  ...autoscalers,
  ...daemonSets,
  ...quotasAndVolumes,
];
