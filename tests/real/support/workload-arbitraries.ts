// Deployments, Pods and Services that a server accepts, and parts of them. Names come from small sets, so
// that two objects often speak of the same container or volume in different ways.
import * as fc from 'fast-check';
import type { Json, JsonDocument } from './patch-arbitraries.ts';

type Fields = { [name: string]: fc.Arbitrary<Json> };

export const name: fc.Arbitrary<string> = fc.constantFrom('a', 'b', 'c', 'd');
const text = fc.constantFrom('x', 'y', 'z');
const boolean = fc.boolean();
const strings = fc.array(text, { maxLength: 3 });

function part(fields: Fields, required: string[] = []): fc.Arbitrary<JsonDocument> {
  return fc.record(fields, { requiredKeys: required, noNullPrototype: true });
}

function list(item: fc.Arbitrary<JsonDocument>, ...keys: string[]): fc.Arbitrary<JsonDocument[]> {
  const identity = (element: JsonDocument): string => JSON.stringify(keys.map((key) => element[key]));
  return fc.uniqueArray(item, { maxLength: 3, selector: identity });
}

const map = (values: fc.Arbitrary<string>): fc.Arbitrary<JsonDocument> =>
  fc.dictionary(name, values, { maxKeys: 3, noNullPrototype: true });

const env = list(part({ name: fc.constantFrom('A', 'B', 'C'), value: text }, ['name']), 'name');
const port = part(
  {
    containerPort: fc.constantFrom(80, 81, 82),
    protocol: fc.constantFrom('TCP', 'UDP'),
    hostIP: fc.constantFrom('10.0.0.1', '10.0.0.2'),
  },
  ['containerPort', 'protocol'],
);
const resources = part({
  limits: part({ cpu: fc.constantFrom('1', '2'), memory: fc.constantFrom('1Gi', '2Gi') }),
});
const probe = part({ httpGet: part({ port: fc.constantFrom(80, 81), path: fc.constant('/x') }, ['port']) }, [
  'httpGet',
]);
const securityContext = part({
  runAsUser: fc.constantFrom(1, 2),
  capabilities: part({ add: strings, drop: strings }),
});

const container = (portKeys: string[]): fc.Arbitrary<JsonDocument> =>
  part(
    {
      name,
      image: text,
      args: strings,
      env,
      ports: list(port, ...portKeys),
      resources,
      livenessProbe: probe,
      securityContext,
      workingDir: text,
      tty: boolean,
    },
    ['name', 'image'],
  );

const volume = fc.oneof(
  part({ name, emptyDir: part({ medium: fc.constant('Memory') }) }, ['name', 'emptyDir']),
  part({ name, configMap: part({ name: text, optional: boolean }, ['name']) }, ['name', 'configMap']),
  part({ name, secret: part({ secretName: text }, ['secretName']) }, ['name', 'secret']),
);

const toleration = part({ key: text, operator: fc.constant('Exists'), effect: fc.constant('NoExecute') }, [
  'key',
  'operator',
]);

const podSpec = (portKeys: string[]): fc.Arbitrary<JsonDocument> =>
  part(
    {
      containers: fc.uniqueArray(container(portKeys), {
        minLength: 1,
        maxLength: 3,
        selector: (item) => item['name'],
      }),
      volumes: list(volume, 'name'),
      tolerations: fc.array(toleration, { maxLength: 2 }),
      nodeSelector: map(text),
      imagePullSecrets: list(part({ name: text }, ['name']), 'name'),
      hostAliases: list(
        part({ ip: fc.constantFrom('10.0.0.1', '10.0.0.2'), hostnames: strings }, ['ip']),
        'ip',
      ),
      securityContext: part({ runAsUser: fc.constantFrom(1, 2), supplementalGroups: fc.constant([1, 2]) }),
      terminationGracePeriodSeconds: fc.constantFrom(1, 30),
    },
    ['containers'],
  );

export const metadata: fc.Arbitrary<JsonDocument> = part({
  labels: map(text),
  annotations: map(text),
  finalizers: fc.uniqueArray(fc.constantFrom('test.io/a', 'test.io/b', 'test.io/c'), { maxLength: 3 }),
  ownerReferences: list(
    part(
      {
        uid: fc.constantFrom('1', '2', '3'),
        apiVersion: fc.constant('v1'),
        kind: fc.constant('Node'),
        name: text,
        blockOwnerDeletion: boolean,
      },
      ['uid', 'apiVersion', 'kind', 'name'],
    ),
    'uid',
  ),
});

const strategy = fc.oneof(
  part({ type: fc.constant('Recreate') }, ['type']),
  part(
    {
      type: fc.constant('RollingUpdate'),
      rollingUpdate: part({ maxSurge: fc.constantFrom<Json>(1, '50%'), maxUnavailable: fc.constant(1) }),
    },
    ['type'],
  ),
);

const SELECTOR = { app: 'test' };

/**
 * Fields of a deployment, not all of which need be there. The selector and its label always are.
 * `portKeys`: what a container's ports differ in. Strategic merge tells them apart by `containerPort`
 * alone, server-side apply by `protocol` too.
 */
export function deployments(...portKeys: string[]): fc.Arbitrary<JsonDocument> {
  const spec = part({
    replicas: fc.constantFrom(0, 1, 2),
    paused: boolean,
    minReadySeconds: fc.constantFrom(0, 5),
    strategy,
  });
  return fc
    .tuple(metadata, spec, metadata, podSpec(portKeys))
    .map(([meta, rest, { labels, annotations }, template]) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: meta,
      spec: {
        ...rest,
        selector: { matchLabels: SELECTOR },
        template: {
          metadata: {
            labels: { ...(labels as JsonDocument | undefined), ...SELECTOR },
            ...(annotations === undefined ? {} : { annotations }),
          },
          spec: template,
        },
      },
    }));
}

const servicePort = fc
  .record({
    port: fc.constantFrom(80, 81, 82),
    more: part({ targetPort: fc.constantFrom<Json>(80, 'http') }),
  })
  .map(({ port: number, more }) => ({ name: `p${number}`, port: number, protocol: 'TCP', ...more }));

export const service: fc.Arbitrary<JsonDocument> = fc
  .tuple(
    metadata,
    part(
      {
        clusterIP: fc.constant('None'),
        ports: list(servicePort, 'port'),
        selector: map(text),
        publishNotReadyAddresses: boolean,
      },
      ['clusterIP'],
    ),
  )
  .map(([meta, spec]) => ({ apiVersion: 'v1', kind: 'Service', metadata: meta, spec }));

export const configMap: fc.Arbitrary<JsonDocument> = fc
  .tuple(metadata, part({ data: map(text), immutable: fc.constant(false) }))
  .map(([meta, rest]) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: meta, ...rest }));

/** Pods of one container: of a pod that exists, little more than its image and its metadata may change. */
export const pod: fc.Arbitrary<JsonDocument> = fc
  .tuple(metadata, text, part({ activeDeadlineSeconds: fc.constantFrom(50, 40, 30) }))
  .map(([meta, image, rest]) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: meta,
    spec: { containers: [{ name: 'a', image }], ...rest },
  }));
