// What the LeaderWorkerSet operator must do, sigs.k8s.io/lws: groups of pods, each of a leader and its workers.
import type { KubeObject, ResourceType } from '@windlass/apimachinery';
import { ControllerRevision, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import { Pod, type PodTemplateSpec, Service } from '@windlass/apimachinery/api/core/v1';
import { defineSimulation, type Simulation, type State, type User } from '@windlass/simulation';
import { insist } from './insist.ts';
import { manifestsOf } from './published-operator.ts';

/** The fields that are used here. */
interface LeaderWorkerSet extends KubeObject {
  spec?: { replicas?: number; leaderWorkerTemplate?: { size: number; workerTemplate: PodTemplateSpec } };
}

const LeaderWorkerSet: ResourceType<LeaderWorkerSet> = {
  group: 'leaderworkerset.x-k8s.io',
  version: 'v1',
  kind: 'LeaderWorkerSet',
  plural: 'leaderworkersets',
  namespaced: true,
};

const LABEL = 'leaderworkerset.sigs.k8s.io';
const { definitions, webhooks } = await manifestsOf({
  folder: 'lws',
  module: 'sigs.k8s.io/lws',
  definitions: [
    'config/crd/bases/leaderworkerset.x-k8s.io_leaderworkersets.yaml',
    'config/crd/bases/disaggregatedset.x-k8s.io_disaggregatedsets.yaml',
  ],
  webhooks: 'config/webhook/manifests.yaml',
  patches: {
    MutatingWebhookConfiguration: 'config/webhook/mutating-patch.yaml',
    ValidatingWebhookConfiguration: 'config/webhook/validating-patch.yaml',
  },
});

const CONFIGURATION = `
apiVersion: config.lws.x-k8s.io/v1alpha1
kind: Configuration
webhook: { host: 127.0.0.1, port: {port:webhooks}, certDir: "{folder}/webhooks" }
leaderElection: { leaderElect: false }
metrics: { bindAddress: "0" }
health: { healthProbeBindAddress: "0" }
internalCertManagement: { enable: false }
`;

/** What the last set of a workload is, which is the one at rest. */
const LAST = { replicas: 3, size: 2, image: 'server:3' };

function template(image: string): PodTemplateSpec {
  return { spec: { containers: [{ name: 'main', image, command: ['sleep', 'infinity'] }] } };
}

/** Leaders have the worker index 0. */
const indexOf = ({ metadata }: KubeObject): string | undefined => metadata?.labels?.[`${LABEL}/worker-index`];

async function podsOf(state: State) {
  return (await state.list(Pod)).filter(({ metadata }) => metadata.labels?.[`${LABEL}/name`] === 'serve');
}

/** What follows from the templates that there were before: revisions go by the names of older ones. */
const HASHES = new Set([
  `${LABEL}/template-revision-hash`,
  'controller-revision-hash',
  'currentRevision',
  'updateRevision',
]);

/** Those that are not true tell of what was seen on the way. */
function trueOnes(conditions: unknown): unknown {
  if (!Array.isArray(conditions)) return conditions;
  return conditions.flatMap(({ type, status }: { readonly type: string; readonly status: string }) =>
    status === 'True' ? [type] : [],
  );
}

/** A simulation of the operator. Its workload ends with a set as in `LAST`. */
function lws(name: string, workload: (user: User) => Promise<void>): Simulation {
  return defineSimulation(name, {
    definitions,
    nodes: 2,
    exec: { files: { 'config.yaml': CONFIGURATION }, webhooks },
    workload,
    invariants: {
      'the leaders are of the set that is there': async (state) => {
        const { uid } = (await state.find(LeaderWorkerSet, 'serve'))?.metadata ?? {};
        const leaders = await state.find(StatefulSet, 'serve');
        const owner = leaders?.metadata.ownerReferences?.[0]?.uid;
        if (owner !== uid) return `they are of ${owner}, and the set is ${uid}`;
        const { replicas } = leaders?.spec ?? {};
        return replicas === LAST.replicas ? undefined : `there are ${replicas} of them`;
      },
      'the service is of the set that is there': async (state) => {
        const { uid } = (await state.find(LeaderWorkerSet, 'serve'))?.metadata ?? {};
        const owner = (await state.find(Service, 'serve'))?.metadata.ownerReferences?.[0]?.uid;
        return owner === uid ? undefined : `it is of ${owner}, and the set is ${uid}`;
      },
      'the workers are of the leaders that are there': async (state) => {
        const leaders = (await podsOf(state)).filter((pod) => indexOf(pod) === '0');
        const sets = await state.list(StatefulSet);
        if (sets.length !== LAST.replicas + 1) return `there are ${sets.length} stateful sets`;
        const stray = leaders.find(
          ({ metadata }) =>
            sets.find((set) => set.metadata.name === metadata.name)?.metadata.ownerReferences?.[0]?.uid !==
            metadata.uid,
        );
        return stray === undefined ? undefined : `${stray.metadata.name} has no workers of its own`;
      },
      'there is one revision, which is of the set that is there': async (state) => {
        const { uid } = (await state.find(LeaderWorkerSet, 'serve'))?.metadata ?? {};
        const owners = (await state.list(ControllerRevision)).flatMap(({ metadata }) =>
          // Stateful sets have revisions of their own.
          (metadata.ownerReferences ?? []).flatMap((one) => (one.kind === 'LeaderWorkerSet' ? one.uid : [])),
        );
        return owners.length === 1 && owners[0] === uid ? undefined : `there are ${owners.length} revisions`;
      },
      'every pod runs, with the last image': async (state) => {
        const pods = await podsOf(state);
        if (pods.length !== LAST.replicas * LAST.size) return `there are ${pods.length} pods`;
        const wrong = pods.find(
          ({ spec, status }) => status?.phase !== 'Running' || spec?.containers?.[0]?.image !== LAST.image,
        );
        return wrong === undefined ? undefined : `${wrong.metadata.name} is ${wrong.status?.phase}`;
      },
    },
    endState: {
      normalise: (object) =>
        // Pods are made by stateful sets. The operator deletes those of a group that it makes anew, or does not come to it.
        object.kind === 'ControllerRevision' || object.kind === 'Pod'
          ? undefined
          : // It is the same object without some fields.
            (JSON.parse(JSON.stringify(object), (name, value: unknown) =>
              HASHES.has(name) ? undefined : name === 'conditions' ? trueOnes(value) : value,
            ) as KubeObject),
    },
  });
}

function makeSet(user: User, replicas: number, size: number, image: string): Promise<void> {
  const spec = { replicas, leaderWorkerTemplate: { size, workerTemplate: template(image) } };
  return insist(user, 'the set is created', () => setsOf(user).create({ metadata: { name: 'serve' }, spec }));
}

const setsOf = ({ client }: User) => client.resource(LeaderWorkerSet).namespace('default');

export const madeOnce: Simulation = lws('lws, made once', async (user) => {
  await makeSet(user, LAST.replicas, LAST.size, LAST.image);
  await user.pass(3000);
});

export default lws('lws', async (user) => {
  const { client, pass, until } = user;
  const sets = setsOf(user);
  await makeSet(user, 2, 3, 'server:1');
  await pass(3000);
  await insist(user, 'its image is changed', () =>
    sets.patch('serve', { spec: { leaderWorkerTemplate: { workerTemplate: template('server:2') } } }),
  );
  await pass(3000);
  // Its group is made anew.
  const pods = client.resource(Pod).namespace('default');
  const hasWorker = async (): Promise<boolean> =>
    (await pods.list()).items.some(({ metadata }) => metadata.name === 'serve-0-1');
  await until('the first group has a worker', hasWorker);
  await pods.delete('serve-0-1');
  await pass(1000);
  // Deleted and made again between two looks.
  await sets.delete('serve', { propagationPolicy: 'Background' });
  await makeSet(user, LAST.replicas, LAST.size, LAST.image);
  await pass(3000);
});
