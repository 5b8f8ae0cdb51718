// A parent for tests: a Website with children of several kinds, and a cluster that notes who writes.
import { apiVersionOf, type KubeObject, type Transport } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { ConfigMap, Service } from '@windlass/apimachinery/api/core/v1';
import { startTestCluster, type TestCluster, type TestManager } from '@windlass/cluster/testing';
import { customResourceDefinition, defineResource, fields, type ObjectOfKind } from '@windlass/codegen';
import type { Controller } from '../controller.ts';
import { type Child, child } from './child.ts';
import { addDependents, type DependentsOptions } from './dependents.ts';

export const Website = defineResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Website',
  spec: fields.object({
    text: fields.string(),
    replicas: fields.optional(fields.integer()),
    isPublic: fields.optional(fields.boolean()),
    contentName: fields.optional(fields.string()),
  }),
  status: fields.object({
    url: fields.optional(fields.string()),
    conditions: fields.conditions(),
  }),
});
export type Website = ObjectOfKind<typeof Website>;

export const website = (name: string, spec: Partial<Website['spec']> = {}): Website => ({
  metadata: { name, namespace: 'default' },
  spec: { text: 'hello', ...spec },
});

type Parent = Parameters<DependentsOptions<Website>['children']>[0];

export function content({ metadata, spec }: Parent): Child {
  return child(ConfigMap, {
    metadata: { name: spec.contentName ?? `${metadata.name}-content` },
    data: { 'index.html': spec.text },
  });
}

export function server({ metadata, spec }: Parent, after: readonly Child[] = []): Child {
  const labels = { app: metadata.name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
  return child(
    Deployment,
    {
      metadata: { name: metadata.name },
      spec: { replicas: spec.replicas ?? 1, selector: { matchLabels: labels }, template },
    },
    { after },
  );
}

export function address({ metadata }: Parent): Child {
  return child(Service, {
    metadata: { name: metadata.name },
    spec: { selector: { app: metadata.name }, ports: [{ port: 80 }] },
  });
}

/** Content, then a server; an address if it is public. */
export const websiteOptions: DependentsOptions<Website> = {
  owns: [ConfigMap, Deployment, Service],
  children: (site) => {
    const text = content(site);
    return [text, server(site, [text]), site.spec.isPublic === true && address(site)];
  },
  status: (site, children) => ({
    url: children.find(Service, site.metadata.name) && `http://${site.metadata.name}`,
  }),
};

/** What went to the server, but for reads and events. */
export interface Write {
  readonly method: string;
  readonly path: string;
}

export interface Site extends TestManager {
  readonly controller: Controller;
  /** All that were sent so far. */
  readonly writes: Write[];
}

export function startWebsites(cluster: TestCluster, options: Partial<DependentsOptions<Website>> = {}): Site {
  const writes: Write[] = [];
  const through = (inner: Transport): Transport => ({
    request: (request) => {
      const { method, path } = request;
      if (method !== 'GET' && !path.includes('events')) writes.push({ method, path });
      return inner.request(request);
    },
    watch: (request) => inner.watch(request),
    [Symbol.asyncDispose]: async () => {},
  });
  const made = cluster.manager({ through });
  const controller = addDependents(made.manager, Website, { ...websiteOptions, ...options });
  return { ...made, controller, writes };
}

export function websiteCluster(namespaces: readonly string[] = []): Promise<TestCluster> {
  return startTestCluster({ definitions: [customResourceDefinition(Website)], namespaces });
}

/** The Ready and Progressing conditions, as `True ChildrenReady: all children are ready`. */
export async function conditionsOf(cluster: TestCluster, name: string): Promise<string[]> {
  const { status } = await cluster.client.resource(Website).namespace('default').get(name);
  return (status?.conditions ?? []).map(({ status: is, reason, message }) => `${is} ${reason}: ${message}`);
}

/** Says of a Deployment what its controller would say when it is done. */
export async function makeAvailable(cluster: TestCluster, name: string): Promise<void> {
  const deployments = cluster.client.resource(Deployment).namespace('default');
  const { metadata, spec } = await deployments.get(name);
  const replicas = spec?.replicas ?? 1;
  await deployments.status.patch(name, {
    status: {
      observedGeneration: metadata.generation ?? 0,
      replicas,
      updatedReplicas: replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
    },
  });
}

/** An owner reference of somebody else. */
export function otherOwner(owner: KubeObject, type = ConfigMap) {
  return {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    name: owner.metadata?.name ?? '',
    uid: owner.metadata?.uid ?? '',
    controller: true,
  };
}
