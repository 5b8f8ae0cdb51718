// What the JobSet operator must do, sigs.k8s.io/jobset: jobs in groups, which are suspended, restarted and ended together.
import type { KubeObject, ResourceType } from '@windlass/apimachinery';
import { Job, type JobSpec } from '@windlass/apimachinery/api/batch/v1';
import { Service } from '@windlass/apimachinery/api/core/v1';
import { defineSimulation, type State } from '@windlass/simulation';
import { insist } from './insist.ts';
import { manifestsOf } from './published-operator.ts';

/** The fields that are used here. */
interface JobSet extends KubeObject {
  spec?: {
    suspend?: boolean;
    failurePolicy?: { maxRestarts: number };
    replicatedJobs?: { name: string; replicas: number; template: { spec: JobSpec } }[];
  };
  status?: {
    restarts?: number;
    terminalState?: string;
    replicatedJobsStatus?: { name: string }[];
  };
}

const JobSet: ResourceType<JobSet> = {
  group: 'jobset.x-k8s.io',
  version: 'v1alpha2',
  kind: 'JobSet',
  plural: 'jobsets',
  namespaced: true,
};

const RESTARTS = 2;
const { definitions, webhooks } = await manifestsOf({
  folder: 'jobset',
  module: 'sigs.k8s.io/jobset',
  definitions: ['config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml'],
  webhooks: 'config/components/webhook/manifests.yaml',
  patches: {
    MutatingWebhookConfiguration: 'config/components/webhook/patches/mutating-patch.yaml',
    ValidatingWebhookConfiguration: 'config/components/webhook/patches/validating-patch.yaml',
  },
});

const CONFIGURATION = `
apiVersion: config.jobset.x-k8s.io/v1alpha1
kind: Configuration
webhook: { host: 127.0.0.1, port: {port:webhooks}, certDir: "{folder}/webhooks" }
leaderElection: { leaderElect: false }
metrics: { bindAddress: "0" }
health: { healthProbeBindAddress: "0" }
internalCertManagement: { enable: false }
`;

/** A job of simulated pods. */
function job(name: string, replicas: number, command: string, parallelism = 1) {
  const containers = [{ name: 'main', image: 'busybox', command: ['sh', '-c', command] }];
  const spec: JobSpec = {
    parallelism,
    completions: parallelism,
    backoffLimit: 0,
    template: { spec: { restartPolicy: 'Never', containers } },
  };
  return { name, replicas, template: { spec } };
}

/** The jobs that are there, and not on their way out, with the name of the JobSet that controls each. */
async function jobsOf(state: State, set: string) {
  const { uid } = (await state.find(JobSet, set))?.metadata ?? {};
  const jobs = (await state.list(Job)).filter(
    ({ metadata }) =>
      metadata.labels?.['jobset.sigs.k8s.io/jobset-name'] === set && metadata.deletionTimestamp === undefined,
  );
  const strangers = jobs.filter(({ metadata }) => metadata.ownerReferences?.[0]?.uid !== uid);
  return { jobs, strangers };
}

export default defineSimulation('jobset', {
  definitions,
  nodes: 2,
  exec: { files: { 'config.yaml': CONFIGURATION }, webhooks },
  workload: async (user) => {
    const { client, pass } = user;
    const sets = client.resource(JobSet).namespace('default');
    const make = (name: string, spec: NonNullable<JobSet['spec']>): Promise<void> =>
      insist(user, `${name} is created`, () => sets.create({ metadata: { name }, spec }));
    const suspend = (name: string, isSuspended: boolean): Promise<void> =>
      insist(user, `${name} is changed`, () => sets.patch(name, { spec: { suspend: isSuspended } }));
    await make('train', {
      replicatedJobs: [job('driver', 1, 'sleep infinity'), job('workers', 2, 'sleep infinity', 2)],
    });
    await make('ends', { replicatedJobs: [job('main', 2, 'sleep 1')] });
    await make('fails', {
      failurePolicy: { maxRestarts: RESTARTS },
      replicatedJobs: [job('main', 1, 'sleep 1; exit 1'), job('other', 1, 'sleep infinity')],
    });
    await make('parks', { replicatedJobs: [job('main', 1, 'sleep infinity')] });
    await pass(2000);
    await suspend('train', true);
    await suspend('parks', true);
    await pass(1000);
    await suspend('train', false);
    await pass(500);
    // Deleted and made again between two looks.
    await sets.delete('train', { propagationPolicy: 'Background' });
    await make('train', {
      replicatedJobs: [job('driver', 1, 'sleep infinity'), job('workers', 3, 'sleep infinity')],
    });
    await pass(3000);
  },
  invariants: {
    'the jobs are of the JobSet that is there, and as many as it says': async (state) => {
      const { jobs, strangers } = await jobsOf(state, 'train');
      if (strangers.length > 0) return `${strangers[0]?.metadata.name} is of a JobSet that is gone`;
      const names = jobs.map(({ metadata }) => metadata.name).toSorted();
      const wanted = 'train-driver-0,train-workers-0,train-workers-1,train-workers-2';
      return names.join() === wanted ? undefined : `there are ${names.join()}`;
    },
    'the service is of the JobSet that is there': async (state) => {
      const { uid } = (await state.find(JobSet, 'train'))?.metadata ?? {};
      const owner = (await state.find(Service, 'train'))?.metadata.ownerReferences?.[0]?.uid;
      return owner === uid ? undefined : `it is of ${owner}, and the JobSet is ${uid}`;
    },
    'what is resumed runs': async (state) => {
      const idle = (await jobsOf(state, 'train')).jobs.find(
        ({ spec, status }) => spec?.suspend === true || status?.ready !== spec?.parallelism,
      );
      return idle === undefined ? undefined : `${idle.metadata.name} does not run`;
    },
    'what is suspended does not run': async (state) => {
      const { jobs } = await jobsOf(state, 'parks');
      if (jobs.length !== 1) return `there are ${jobs.length} jobs`;
      const busy = jobs.find(({ spec, status }) => spec?.suspend !== true || (status?.active ?? 0) > 0);
      return busy === undefined ? undefined : `${busy.metadata.name} runs`;
    },
    'it ends when all its jobs have': async (state) => {
      const { terminalState } = (await state.find(JobSet, 'ends'))?.status ?? {};
      return terminalState === 'Completed' ? undefined : `ends is ${terminalState}`;
    },
    'it is restarted as often as it may be, and then fails': async (state) => {
      const { restarts, terminalState } = (await state.find(JobSet, 'fails'))?.status ?? {};
      if (terminalState !== 'Failed') return `fails is ${terminalState}`;
      if (restarts !== RESTARTS) return `it was restarted ${restarts} times`;
      const made = state.journal.filter(
        ({ verb, key }) => verb === 'create' && key === '/batch/jobs/default/fails-main-0',
      );
      return made.length === RESTARTS + 1 ? undefined : `its job was made ${made.length} times`;
    },
  },
  endState: {
    // The operator lists them in the order of a map.
    normalise: (object) => {
      if (object.kind !== 'JobSet') return object;
      const set: JobSet = structuredClone(object);
      set.status?.replicatedJobsStatus?.sort((a, b) => (a.name < b.name ? -1 : 1));
      return set;
    },
  },
});
