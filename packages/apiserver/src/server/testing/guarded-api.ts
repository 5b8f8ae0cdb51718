import assert from 'node:assert/strict';
import type { ApiRequest, Transport } from '@windlass/apimachinery';
import { nextTurn } from '@windlass/base';
import type { UserInfo } from '../../access/user.ts';
import { ApiServer } from '../../api-server.ts';
import { definition, GROUP } from '../../custom/testing/custom-api.ts';
import { createMemoryStore } from '../../storage/index.ts';

/** One object that a caller may or may not see. Its mark stands in it, and nowhere else. */
export interface Guarded {
  readonly collection: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly mark: string;
}

export const NAMESPACES: readonly string[] = ['alpha', 'beta'];
export const NAMES: readonly string[] = ['x', 'y', 'xy'];
const RESOURCES = {
  secrets: '/api/v1',
  configmaps: '/api/v1',
  widgets: `/apis/${GROUP}/v1`,
} as const;

const markOf = (resource: string, namespace: string, name: string): string =>
  `<${resource}/${namespace}/${name}>`;

export const GUARDED: readonly Guarded[] = Object.entries(RESOURCES).flatMap(([resource, base]) =>
  NAMESPACES.flatMap((namespace) =>
    NAMES.map((name) => ({
      collection: `${base}/namespaces/${namespace}/${resource}`,
      resource,
      namespace,
      name,
      mark: markOf(resource, namespace, name),
    })),
  ),
);

/** An API server with marked objects, to see who gets which and who changes which. */
export class GuardedApi implements AsyncDisposable {
  readonly #server = new ApiServer({ store: createMemoryStore({}) });
  readonly admin: Transport = this.#server.transport();

  async start(): Promise<void> {
    for (const name of NAMESPACES) await this.must('POST', '/api/v1/namespaces', { metadata: { name } });
    await this.must(
      'POST',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      definition({
        schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
            status: { type: 'object', properties: { replicas: { type: 'integer' } } },
          },
        },
        version: {
          subresources: {
            status: {},
            scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
          },
        },
      }),
    );
    const widgets = `${RESOURCES.widgets}/widgets`;
    await this.#eventually(
      async () => (await this.admin.request({ method: 'GET', path: widgets })).status === 200,
    );
    for (const guarded of GUARDED) await this.restore(guarded);
  }

  transport(user: UserInfo): Transport {
    return this.#server.transport(user);
  }

  async must(method: ApiRequest['method'], path: string, body?: object): Promise<void> {
    const answer = await this.admin.request({ method, path, ...(body !== undefined && { body }) });
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`);
  }

  /** Lets a user do something, and waits until that counts. */
  async grant(user: UserInfo, namespace: string, rules: readonly object[], probe: string): Promise<void> {
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const isCluster = namespace === '';
    const home = isCluster ? rbac : `${rbac}/namespaces/${namespace}`;
    const [role, binding] = isCluster ? ['clusterroles', 'clusterrolebindings'] : ['roles', 'rolebindings'];
    await this.must('POST', `${home}/${role}`, { metadata: { name: user.name }, rules });
    await this.must('POST', `${home}/${binding}`, {
      metadata: { name: user.name },
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: isCluster ? 'ClusterRole' : 'Role',
        name: user.name,
      },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user.name }],
    });
    const [verb = '', path = ''] = probe.split(' ');
    const review = {
      spec: { resourceAttributes: { verb, ...attributesOf(path) }, user: user.name, groups: user.groups },
    };
    await this.#eventually(async () => {
      const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
      const { body } = await this.admin.request({ method: 'POST', path, body: review });
      return (body as { status: { allowed: boolean } }).status.allowed;
    });
  }

  /** Versions of all guarded objects, by their marks; 'gone' for one that is not there. */
  async versions(): Promise<Map<string, string>> {
    const versions = new Map<string, string>(GUARDED.map(({ mark }) => [mark, 'gone']));
    for (const [resource, base] of Object.entries(RESOURCES)) {
      const { body } = await this.admin.request({ method: 'GET', path: `${base}/${resource}` });
      for (const { metadata } of (body as { items: { metadata: Record<string, string> }[] }).items) {
        const mark = markOf(resource, metadata['namespace'] ?? '', metadata['name'] ?? '');
        versions.set(mark, metadata['resourceVersion'] ?? '');
      }
    }
    return versions;
  }

  /** Puts a guarded object back as it was made. */
  async restore({ collection, name, resource, mark }: Guarded): Promise<void> {
    await this.admin.request({ method: 'DELETE', path: `${collection}/${name}` });
    await this.must('POST', collection, {
      ...(resource === 'widgets' && { apiVersion: `${GROUP}/v1`, kind: 'Widget', spec: { replicas: 1 } }),
      metadata: { name, annotations: { mark }, labels: { app: name } },
    });
  }

  async #eventually(holds: () => Promise<boolean>): Promise<void> {
    for (let turn = 0; turn < 1000; turn++) {
      if (await holds()) return;
      await nextTurn();
    }
    assert.fail('a change of the definitions or roles did not take effect');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server.close();
  }
}

function attributesOf(path: string): object {
  const [group = '', resource = '', namespace = '', name = '', subresource = ''] = path.split('|');
  return { group, resource, namespace, name, subresource };
}
