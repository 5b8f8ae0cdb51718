import type { Duplex } from 'node:stream';
import { type Cached, keyOf } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { Clock, KeyPair, Logger } from '@windlass/base';
import type { EnvironmentObjects } from '../environment/container-environment.ts';
import { KUBELET_PORT } from '../node/node-object.ts';
import type { CompleteNodeSpec } from '../node/node-spec.ts';
import type { AnswerContext, NodeAnswers } from './node-answers.ts';
import type { NodePods } from './node-pods.ts';
import { NodeRequests } from './node-requests.ts';
import { NodeServer } from './node-server.ts';
import { PodPorts } from './pod-ports.ts';
import { SimulatedContainers } from './simulated-containers.ts';

/** What nodes need to be asked for logs, commands and ports. */
export interface ServingOptions {
  /** A serving certificate for a node; made when the node is first asked for something. */
  readonly certificateFor: (node: { readonly name: string; readonly address: string }) => KeyPair;
  /** PEM of the authority of those who may ask. */
  readonly clientAuthority: string;
}

export interface NodeServersOptions {
  readonly specs: ReadonlyMap<string, CompleteNodeSpec>;
  readonly serving: ServingOptions;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly isSuspended: (node: string) => boolean;
  readonly findPod: (key: string) => Cached<Pod> | undefined;
  readonly podsOf: (node: string) => readonly Cached<Pod>[];
  readonly allPods: () => Iterable<Cached<Pod>>;
  readonly directories: (node: string, uid: string) => ReadonlyMap<string, string>;
  readonly objects: EnvironmentObjects;
  /** What runs real containers. @default they are simulated */
  readonly answers?: ((context: AnswerContext) => NodeAnswers) | undefined;
  readonly onFinished: (uid: string, container: string, exitCode: number) => void;
}

/**
 * The servers of nodes. A node's is made when it is first asked for something, so that a thousand nodes cost
 * nothing until then, and none of them listens on the machine.
 */
export class NodeServers implements AsyncDisposable {
  readonly #options: NodeServersOptions;
  readonly #servers = new Map<string, NodeServer>();
  readonly #containers = new Map<string, SimulatedContainers>();
  readonly #ports = new PodPorts();
  readonly #byAddress: ReadonlyMap<string, CompleteNodeSpec>;

  constructor(options: NodeServersOptions) {
    this.#options = options;
    this.#byAddress = new Map([...options.specs.values()].map((spec) => [spec.address, spec]));
  }

  /** A connection to a node or a pod of this agent; undefined when the address is of neither. */
  connect(host: string, port: number): Duplex | undefined {
    const spec = this.#byAddress.get(host);
    if (spec !== undefined) return port === KUBELET_PORT ? this.serverOf(spec).connect() : undefined;
    // Real pods have real addresses.
    if (this.#options.answers !== undefined) return undefined;
    for (const pod of this.#options.allPods()) {
      const { status, spec: podSpec } = pod;
      if (
        status?.podIP === host &&
        status.phase === 'Running' &&
        !this.#options.isSuspended(podSpec?.nodeName ?? '')
      )
        return this.#ports.connect(pod, port);
    }
    return undefined;
  }

  /** The server of one node. */
  serverOf(spec: CompleteNodeSpec): NodeServer {
    const known = this.#servers.get(spec.name);
    if (known !== undefined) return known;
    const { serving, clock, logger, isSuspended } = this.#options;
    const { name } = spec;
    const server = new NodeServer({
      tls: { ...serving.certificateFor(spec), clientAuthority: serving.clientAuthority },
      requests: this.#answersOf(name),
      clock,
      logger: logger.with({ node: name }),
      isSuspended: () => isSuspended(name),
    });
    this.#servers.set(name, server);
    return server;
  }

  #answersOf(node: string): NodeAnswers {
    const { clock, answers, onFinished } = this.#options;
    const pods = this.#podsOf(node);
    if (answers !== undefined) return answers({ node, pods, clock });
    const containers = new SimulatedContainers(pods, clock);
    this.#containers.set(node, containers);
    return new NodeRequests({ node, pods, containers, ports: this.#ports, clock, onFinished });
  }

  /** A pod has left its node. */
  forget(uid: string): void {
    for (const containers of this.#containers.values())
      containers.forget(uid).catch((error: unknown) => {
        this.#options.logger.warn('the files of a container could not be removed', { uid, error });
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ports[Symbol.dispose]();
    await Promise.all([...this.#servers.values()].map((server) => server[Symbol.asyncDispose]()));
    await Promise.all([...this.#containers.values()].map((each) => each[Symbol.asyncDispose]()));
  }

  #podsOf(node: string): NodePods {
    const { findPod, podsOf, directories, objects } = this.#options;
    return {
      find: (namespace, name) => {
        const pod = findPod(keyOf({ metadata: { namespace, name } }));
        return pod?.spec?.nodeName === node ? pod : undefined;
      },
      all: () => podsOf(node),
      directories: (uid) => directories(node, uid),
      configMap: (namespace, name, signal) => objects.configMap(namespace, name, signal),
      secret: (namespace, name, signal) => objects.secret(namespace, name, signal),
      services: (namespace, signal) => objects.services(namespace, signal),
      allocatable: (nodeName) => objects.allocatable(nodeName),
    };
  }
}
