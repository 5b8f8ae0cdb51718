import { splitKey } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { Node } from '@windlass/apimachinery/api/core/v1';
import type { Client, DynamicObject, ResourceClient } from '@windlass/client';
import type { ClusterInside } from '@windlass/cluster';
import { type Tries, TryError, type TryRequest } from '@windlass/console';

/** What people may do on the page Try, to a cluster in this process. */
export class ClusterTries implements Tries {
  readonly #client: Client;
  readonly #inside: ClusterInside;

  constructor(client: Client, inside: ClusterInside) {
    this.#client = client;
    this.#inside = inside;
  }

  lostNodes(): ReadonlySet<string> {
    return this.#inside.suspendedNodes;
  }

  async perform(request: TryRequest, signal: AbortSignal): Promise<string> {
    const { disturbances } = this.#inside;
    switch (request.action) {
      case 'scale': {
        const { resource, key, replicas } = request;
        const [objects, name] = await this.#named(resource, key, signal);
        await objects.scale.patch(name, { spec: { replicas } }, { signal });
        return `${resource} ${key} is to have ${replicas} replicas`;
      }
      case 'delete': {
        const { resource, key } = request;
        const [objects, name] = await this.#named(resource, key, signal);
        await objects.delete(name, { signal, propagationPolicy: 'Background' });
        return `${resource} ${key} is deleted`;
      }
      case 'create-deployment': {
        const { name, replicas } = request;
        const labels = { app: name };
        const container = { name: 'main', image: 'nginx' };
        const template = { metadata: { labels }, spec: { containers: [container] } };
        await this.#client
          .resource(Deployment)
          .namespace('default')
          .create(
            { metadata: { name, labels }, spec: { replicas, selector: { matchLabels: labels }, template } },
            { signal },
          );
        return `deployment default/${name} is there, and is to have ${replicas} replicas`;
      }
      case 'lose-node':
        await this.#requireNode(request.node, signal);
        this.#inside.suspendNode(request.node);
        return `${request.node} says nothing more; in about 40 seconds it counts as lost`;
      case 'bring-back-node':
        await this.#requireNode(request.node, signal);
        this.#inside.resumeNode(request.node);
        return `${request.node} is back`;
      case 'hold-watches':
        disturbances.holdWatches(request.seconds * 1000);
        return `watches tell nothing for ${request.seconds} seconds`;
      case 'drop-requests':
        disturbances.dropRequests(request.percent / 100, request.seconds * 1000);
        return `${request.percent} of 100 requests are lost for ${request.seconds} seconds`;
      default:
        request satisfies never;
        throw new TryError('there is nothing of that name to try');
    }
  }

  async #named(
    resource: string,
    key: string,
    signal: AbortSignal,
  ): Promise<[objects: ResourceClient<DynamicObject>, name: string]> {
    const { group, version, plural } = await this.#client.discovery.named(resource, { signal });
    const { namespace, name } = splitKey(key);
    const all = this.#client.resource<DynamicObject>({ group, version, plural });
    return [namespace === '' ? all : all.namespace(namespace), name];
  }

  async #requireNode(name: string, signal: AbortSignal): Promise<void> {
    await this.#client.resource(Node).get(name, { signal });
  }
}
