// What users do to a cluster all day, at random.
import { isAlreadyExists, isConflict, isNotFound } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { Job } from '@windlass/apimachinery/api/batch/v1';
import { PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import type { Random } from '@windlass/base';
import type { Client } from '@windlass/client';

export const NAMESPACE = 'default';
export const DEPLOYMENTS = 8;
const MOST_REPLICAS = 12;
const CLAIMS = 12;
const STORAGE_CLASS = 'directpv-min-io';

/** Short, so that pods leave a lost node while one watches. */
const tolerations = ['not-ready', 'unreachable'].map((what) => ({
  key: `node.kubernetes.io/${what}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 5,
}));

const pick = (random: Random, count: number, prefix: string): string => `${prefix}-${random.int(count)}`;

/** Each tells in a word what it did. All of them may meet objects that are gone or changed; that is no fault. */
export const ACTIONS: readonly {
  readonly name: string;
  readonly weight: number;
  act(client: Client, random: Random): Promise<unknown>;
}[] = [
  {
    name: 'deploy',
    weight: 4,
    act(client, random) {
      const name = pick(random, DEPLOYMENTS, 'web');
      const containers = [{ name: 'main', image: `nginx:1.${random.int(30)}` }];
      return deployments(client).apply(
        {
          metadata: { name },
          spec: {
            replicas: random.int(MOST_REPLICAS + 1),
            selector: { matchLabels: { app: name } },
            template: { metadata: { labels: { app: name } }, spec: { tolerations, containers } },
          },
        },
        { force: true },
      );
    },
  },
  {
    name: 'remove a deployment',
    weight: 1,
    act: (client, random) => deployments(client).delete(pick(random, DEPLOYMENTS, 'web')),
  },
  {
    name: 'delete a pod',
    weight: 2,
    async act(client, random) {
      const { items } = await pods(client).list();
      const name = items[random.int(Math.max(1, items.length))]?.metadata.name;
      if (name !== undefined) await pods(client).delete(name);
    },
  },
  {
    name: 'run a job',
    weight: 1,
    act: (client, random) =>
      client
        .resource(Job)
        .namespace(NAMESPACE)
        .create({
          metadata: { generateName: 'work-' },
          spec: {
            completions: 1 + random.int(3),
            parallelism: 2,
            ttlSecondsAfterFinished: 1,
            template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } },
          },
        }),
  },
  {
    name: 'claim a volume and use it',
    weight: 3,
    async act(client, random) {
      const name = pick(random, CLAIMS, 'data');
      await claims(client).create({
        metadata: { name },
        spec: {
          storageClassName: STORAGE_CLASS,
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: `${16 * (1 + random.int(8))}Mi` } },
        },
      });
      await pods(client).create({
        metadata: { name: `uses-${name}`, labels: { uses: name } },
        spec: {
          tolerations,
          terminationGracePeriodSeconds: 1,
          volumes: [{ name: 'data', persistentVolumeClaim: { claimName: name } }],
          containers: [
            { name: 'main', image: 'busybox', volumeMounts: [{ name: 'data', mountPath: '/data' }] },
          ],
        },
      });
    },
  },
  {
    name: 'give a volume back',
    weight: 2,
    async act(client, random) {
      const name = pick(random, CLAIMS, 'data');
      await pods(client)
        .delete(`uses-${name}`)
        .catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
      await claims(client).delete(name);
    },
  },
];

const deployments = (client: Client) => client.resource(Deployment).namespace(NAMESPACE);
const pods = (client: Client) => client.resource(Pod).namespace(NAMESPACE);
const claims = (client: Client) => client.resource(PersistentVolumeClaim).namespace(NAMESPACE);

/** Does one thing. Resolves with its name. */
export async function churn(client: Client, random: Random): Promise<string> {
  const total = ACTIONS.reduce((sum, { weight }) => sum + weight, 0);
  let left = random.int(total);
  const action = ACTIONS.find(({ weight }) => (left -= weight) < 0) ?? ACTIONS[0];
  if (action === undefined) return 'nothing';
  try {
    await action.act(client, random);
    return action.name;
  } catch (error) {
    if (isNotFound(error) || isConflict(error) || isAlreadyExists(error)) return action.name;
    throw error;
  }
}
