// Requests that no client would send: half of them nonsense, the other half nearly right.
import { encodeProtobuf } from '@windlass/apimachinery';
import { SeededRandom } from '@windlass/base';

export interface MalformedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
  /** The connection breaks before the body is over. */
  readonly isCut: boolean;
}

const COLLECTIONS = [
  '/api/v1/namespaces/default/pods',
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/secrets',
  '/api/v1/namespaces/default/services',
  '/api/v1/nodes',
  '/api/v1/namespaces',
  '/apis/apps/v1/namespaces/default/deployments',
  '/apis/batch/v1/namespaces/default/cronjobs',
  '/apis/networking.k8s.io/v1/namespaces/default/ingresses',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
  '/apis/authorization.k8s.io/v1/subjectaccessreviews',
] as const;
const ODD_PATHS = [
  '/apis',
  '/api/v1/watch',
  '/openapi/v3',
  '/openapi/v2',
  '//',
  '/%zz',
  '/api/v1/namespaces/%2e%2e/pods',
  '/api/v1/namespaces/default/pods/x/log',
  '/api/v1/namespaces/default/serviceaccounts/default/token',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles/__proto__',
  '/apis/__proto__/v1/constructor',
  '/healthz',
  '/metrics',
] as const;
const QUERIES = [
  'limit=-1',
  'limit=1e9',
  'continue=%00',
  'continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ',
  'fieldSelector=a%3D%3D%3D',
  'labelSelector=((',
  'labelSelector=a%20in%20(',
  'resourceVersion=x',
  'resourceVersion=99999999999999999999',
  'resourceVersionMatch=Exact',
  'dryRun=Some',
  'fieldManager=%00',
  'fieldValidation=Bogus',
  'force=maybe',
  'timeoutSeconds=x',
  'sendInitialEvents=true',
  'pretty=%ff',
  'gracePeriodSeconds=-5',
  'propagationPolicy=Bogus',
] as const;
const SUBRESOURCES = [
  'status',
  'scale',
  'eviction',
  'binding',
  'finalize',
  'token',
  'nope',
  '..',
  '%2f',
] as const;
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE'] as const;
const WRITING = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const TYPES = [
  'application/json',
  'application/json',
  'application/yaml',
  PROTOBUF,
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'x',
  '',
  'application/json;charset=utf-8;;=',
] as const;
const ODD_TEXTS = [
  '',
  '{',
  '[]',
  'null',
  '1e999',
  '"\\ud800"',
  '{"kind":5}',
  '{"metadata":[]}',
  '{"kind":"Pod","apiVersion":"v1","spec":{"containers":{"0":1}}}',
  '{"__proto__":{"x":1},"metadata":{"name":"a"}}',
  '{"constructor":{"prototype":{"x":1}}}',
  'a: &a [*a]',
  'a: !!js/function "x"',
  '- - - - -\n- ? :',
  '[{"op":"add","path":"/-/-","value":1}]',
  '[{"op":"copy","from":"","path":"/a"}]',
  '[{"op":"test"},{"op":5}]',
  '{"metadata":{"name":"\ud800"}}',
  '{"metadata":{"name":"a","name":"b"}}',
  '{"$patch":"delete","$setElementOrder/x":1}',
] as const;
const LEAVES: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1e21,
  1.5,
  2 ** 53,
  '',
  'x',
  '\u0000',
  'é',
  [],
  {},
  [[]],
  { a: null },
  [null],
];

/** Objects that are right, to be made wrong. */
const SAMPLES: readonly Record<string, unknown>[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', labels: { a: 'b' } },
    data: { a: 'b' },
    binaryData: { c: 'AA==' },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: 'u' }] },
    spec: {
      containers: [
        { name: 'c', image: 'i', ports: [{ containerPort: 80 }], resources: { limits: { cpu: '1' } } },
      ],
      volumes: [{ name: 'v', configMap: { name: 'x' } }],
      tolerations: [{ key: 'k', operator: 'Exists' }],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'a' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'a', operator: 'Exists' }] },
      template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      strategy: { rollingUpdate: { maxSurge: '25%' } },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a' },
    spec: { ports: [{ port: 80, targetPort: 'http' }], clusterIP: 'None' },
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'foos', kind: 'Foo' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: { type: 'object', 'x-kubernetes-validations': [{ rule: 'self == self' }] },
              },
            },
          },
        },
      ],
    },
  },
  { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'x' }, propagationPolicy: 'Orphan' },
];

export class Malformer {
  readonly #random: SeededRandom;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
  }

  pick<T>(values: readonly T[]): T {
    // Nobody hands in an empty list.
    return values[this.#random.int(values.length)] as T;
  }

  #oneIn(count: number): boolean {
    return this.#random.int(count) === 0;
  }

  noise(length: number): Buffer {
    return Buffer.from(this.#random.bytes(this.#random.int(length) + 1));
  }

  request(): MalformedRequest {
    const method = this.pick(METHODS);
    const contentType = this.#oneIn(6) ? undefined : this.pick(TYPES);
    const headers: Record<string, string> = {
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(this.#oneIn(6) && { accept: this.pick(TYPES) }),
      ...(this.#oneIn(10) && { 'impersonate-user': 'a', 'impersonate-extra-%zz': 'b' }),
      ...(this.#oneIn(20) && { authorization: `Bearer ${'x'.repeat(this.#random.int(500))}` }),
    };
    const isWrite = WRITING.has(method);
    const body = isWrite ? this.body(contentType ?? '') : undefined;
    return { method, path: this.#path(), headers, body, isCut: isWrite && this.#oneIn(10) };
  }

  #path(): string {
    const base = this.#oneIn(4) ? this.pick(ODD_PATHS) : this.pick(COLLECTIONS);
    const name = this.#oneIn(2) ? `/${this.pick(['a', 'x', '..', '%00', 'A', 'a'.repeat(300)])}` : '';
    const sub = name !== '' && this.#oneIn(3) ? `/${this.pick(SUBRESOURCES)}` : '';
    const query = this.#oneIn(2) ? `?${this.pick(QUERIES)}&${this.pick(QUERIES)}` : '';
    return `${base}${name}${sub}${query}`;
  }

  body(contentType: string): Buffer {
    switch (this.#random.int(6)) {
      case 0:
        return this.noise(300);
      case 1:
        return Buffer.from(this.pick(ODD_TEXTS), this.#oneIn(2) ? 'latin1' : 'utf8');
      case 2:
        return Buffer.from(this.pick(['['.repeat(5000), '{"a":'.repeat(2000), '- '.repeat(3000)]));
      case 3:
        return this.#damaged(Buffer.from(JSON.stringify(this.value())));
      default:
        return contentType === PROTOBUF ? this.#protobuf() : Buffer.from(JSON.stringify(this.value()));
    }
  }

  /** A sample with a few of its values exchanged. */
  value(): unknown {
    const value = structuredClone(this.pick(SAMPLES));
    for (let change = this.#random.int(3); change >= 0; change--) this.#exchange(value);
    return value;
  }

  #exchange(root: Record<string, unknown>): void {
    let at: Record<string, unknown> = root;
    for (;;) {
      const keys = Object.keys(at);
      if (keys.length === 0) return;
      const key = this.pick(keys);
      const below = at[key];
      if (typeof below === 'object' && below !== null && !this.#oneIn(4))
        at = below as Record<string, unknown>;
      else {
        at[key] = structuredClone(this.pick(LEAVES));
        return;
      }
    }
  }

  #damaged(bytes: Buffer): Buffer {
    for (let change = this.#random.int(4); change >= 0; change--)
      bytes[this.#random.int(bytes.length)] = this.#random.int(256);
    return this.#oneIn(3) ? bytes.subarray(0, this.#random.int(bytes.length)) : bytes;
  }

  #protobuf(): Buffer {
    try {
      return this.#damaged(
        Buffer.from(encodeProtobuf(this.pick(SAMPLES) as { apiVersion: string; kind: string })),
      );
    } catch {
      return Buffer.concat([Buffer.from('k8s\0'), this.noise(200)]);
    }
  }

  /** Bytes that may be no HTTP at all. */
  wire(): Buffer {
    const { method, path, headers, body } = this.request();
    const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const forms: readonly (() => string | Buffer)[] = [
      () => this.noise(500),
      () => 'GET / HTTP/1.1\r\n\r\n',
      () => `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      () => 'POST /api HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nshort',
      () => 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      () => 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      () =>
        `GET / HTTP/1.1\r\n${this.noise(60).toString('latin1')}: ${this.noise(60).toString('latin1')}\r\n\r\n`,
      () => Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), this.noise(300)]),
      () =>
        `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head.join('')}\r\n${body?.toString('latin1') ?? ''}`,
    ];
    return Buffer.from(this.pick(forms)() as string, 'latin1');
  }
}
