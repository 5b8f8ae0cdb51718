import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import {
  chooseProtocol,
  isWebSocketRequest,
  PORT_PROTOCOLS,
  subprotocolsOf,
  WebSocketConnection,
  webSocketAnswer,
  webSocketDuplex,
} from '@windlass/streams';
import { agreeOnCommand, agreeOnSpdy, checkWebSocket, wantedStreams } from './command-upgrade.ts';
import { containerSpec, loggedRun, NodeRequestError, requireRunning } from './container-state.ts';
import { logOptionsOf } from './log-options.ts';
import type { NodeAnswers, Upgrade } from './node-answers.ts';
import { resourceMetrics, summary } from './node-pages.ts';
import type { NodePods } from './node-pods.ts';
import type { PodPorts } from './pod-ports.ts';
import { channelPorts, portOf, spdyPorts } from './port-forward.ts';
import { type Route, routeOf } from './route.ts';
import { runRemote } from './run-remote.ts';
import type { FoundContainer, SimulatedContainers } from './simulated-containers.ts';
import { logText, writeTexts } from './write-log.ts';

export interface NodeRequestsOptions {
  readonly node: string;
  readonly pods: NodePods;
  readonly containers: SimulatedContainers;
  readonly ports: PodPorts;
  readonly clock: Clock;
  /** The program of a container has ended, because whoever was attached to it has ended it. */
  readonly onFinished: (uid: string, container: string, exitCode: number) => void;
}

type ContainerRoute = Extract<Route, { readonly container: string }>;

const PORT_PROTOCOL = 'portforward.k8s.io';
const TUNNEL_PROTOCOL = `SPDY/3.1+${PORT_PROTOCOL}`;
/** What `/run` hands over at once. */
const MAX_RUN_BYTES = 1024 * 1024;

/** What a node with simulated containers answers. */
export class NodeRequests implements NodeAnswers {
  readonly #options: NodeRequestsOptions;

  constructor(options: NodeRequestsOptions) {
    this.#options = options;
  }

  async answer(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const { node, pods, clock } = this.#options;
    const { route, query } = parsed(request);
    const text = (body: string, type = 'text/plain; charset=utf-8'): void =>
      void response.writeHead(200, { 'content-type': type }).end(body);
    switch (route.type) {
      case 'logs':
        return this.#logs(route, query, response, signal);
      case 'run':
        return text(await this.#run(route, (query.get('cmd') ?? '').split(' '), signal));
      case 'exec':
      case 'attach':
      case 'portForward':
        throw new NodeRequestError(400, 'Upgrade request required');
      case 'pods':
        return text(
          JSON.stringify({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items: pods.all() }),
          'application/json',
        );
      case 'healthz':
        return text('ok');
      case 'metrics':
        return text('');
      case 'resources':
        return text(resourceMetrics({ node, pods: pods.all(), now: clock.now() }));
      case 'summary':
        return text(
          JSON.stringify(summary({ node, pods: pods.all(), now: clock.now() })),
          'application/json',
        );
      default:
        return route satisfies never;
    }
  }

  async upgrade(request: IncomingMessage): Promise<Upgrade> {
    const { route, query } = parsed(request);
    if (route.type === 'portForward') return this.#portForward(route, query, request);
    if (route.type !== 'exec' && route.type !== 'attach')
      throw new NodeRequestError(400, 'this path has no other protocol');
    const wanted = wantedStreams(query);
    const found = this.#running(route);
    const { headers, open } = agreeOnCommand(request.headers, wanted, this.#options.clock);
    const command = query.getAll('command');
    return {
      headers,
      run: async (socket) => {
        const remote = await open(socket);
        await runRemote(remote, wanted.tty, (streams) =>
          route.type === 'exec'
            ? this.#options.containers.run(found, command, streams)
            : this.#attach(found, streams),
        );
      },
    };
  }

  async #logs(
    route: ContainerRoute,
    query: URLSearchParams,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, containers } = this.#options;
    const options = logOptionsOf(query, clock.now());
    if (options === undefined) throw new NodeRequestError(400, '{"message": "Unable to decode query."}');
    const found = this.#found(route);
    const run = loggedRun(found.pod, route.container, options.previous);
    const lines = await containers.printed(found, run.startedAt, signal);
    const again = await containers.printed(found, run.startedAt, signal);
    const iterables = [lines, again];
    const source = {
      run,
      printed: () => iterables.shift() ?? [],
      finishedAt: () => this.#finishedAt(route, run.startedAt),
    };
    await writeTexts(response, logText(source, options, clock, signal), options.limitBytes);
  }

  /** When a run ended, as far as is known now; undefined while it goes on. */
  #finishedAt(route: ContainerRoute, startedAt: number): number | undefined {
    const pod = this.#options.pods.find(route.namespace, route.pod);
    if (pod === undefined) return startedAt;
    try {
      const now = loggedRun(pod, route.container, false);
      // It runs anew: the run that was followed is over.
      return now.startedAt === startedAt ? now.finishedAt : startedAt;
    } catch {
      return startedAt;
    }
  }

  async #run(route: ContainerRoute, command: readonly string[], signal: AbortSignal): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const keep = async (bytes: Uint8Array): Promise<void> => {
      size += bytes.byteLength;
      if (size <= MAX_RUN_BYTES) chunks.push(bytes);
    };
    const streams = { stdin: { async *[Symbol.asyncIterator]() {} }, stdout: keep, stderr: keep, signal };
    await this.#options.containers.run(this.#running(route), command, streams);
    return Buffer.concat(chunks).toString();
  }

  /** Shows what the container prints from now on. One that waits for input is a shell. */
  async #attach(
    found: FoundContainer,
    streams: Parameters<Parameters<typeof runRemote>[2]>[0],
  ): Promise<number> {
    const { clock, containers } = this.#options;
    const { pod, container } = found;
    const { stdin: isOpen = false, command = [] } = container;
    if (isOpen && command.length <= 1) {
      const code = await containers.run(found, command.length === 0 ? ['sh'] : command, streams);
      // The end of the container says with which code, and not the end of the connection.
      if (!streams.signal.aborted) this.#options.onFinished(pod.metadata.uid, container.name, code);
      return 0;
    }
    const route: ContainerRoute = {
      type: 'attach',
      namespace: pod.metadata.namespace,
      pod: pod.metadata.name,
      uid: '',
      container: container.name,
    };
    const run = requireRunning(pod, container.name);
    const printed = await containers.printed(found, run.startedAt, streams.signal);
    const iterables = [[], printed];
    const source = {
      run,
      printed: () => iterables.shift() ?? [],
      finishedAt: () => this.#finishedAt(route, run.startedAt),
    };
    const options = {
      follow: true,
      previous: false,
      timestamps: false,
      since: undefined,
      tailLines: 0,
      limitBytes: undefined,
    };
    for await (const text of logText(source, options, clock, streams.signal))
      await streams.stdout(Buffer.from(text));
    return 0;
  }

  #portForward(
    route: Extract<Route, { type: 'portForward' }>,
    query: URLSearchParams,
    { headers }: IncomingMessage,
  ): Upgrade {
    const pod = this.#pod(route);
    if (pod.status?.phase !== 'Running')
      throw new NodeRequestError(
        400,
        `unable to forward port because pod is not running. Current status=${pod.status?.phase ?? 'Unknown'}`,
      );
    const open = (port: number): Duplex => this.#options.ports.connect(pod, port);
    if (!isWebSocketRequest(headers)) {
      const { answer } = agreeOnSpdy(headers, [PORT_PROTOCOL]);
      return { headers: answer, run: (socket) => spdyPorts(socket, open) };
    }
    checkWebSocket(headers);
    const offered = subprotocolsOf(headers);
    if (offered.includes(TUNNEL_PROTOCOL))
      return {
        headers: webSocketAnswer(headers, TUNNEL_PROTOCOL),
        run: (socket) => spdyPorts(webSocketDuplex(new WebSocketConnection(socket)), open),
      };
    const protocol = chooseProtocol(offered, PORT_PROTOCOLS);
    const ports = query.getAll('port').flatMap((list) => list.split(',').map((each) => portOf(each)));
    if (protocol === undefined) throw new NodeRequestError(403, 'unable to upgrade: no protocol is known');
    if (ports.length === 0) throw new NodeRequestError(400, 'query parameter "port" is required');
    return {
      headers: webSocketAnswer(headers, protocol.name),
      run: (socket) => channelPorts(socket, protocol, ports.map(requirePort), open),
    };
  }

  #pod({ namespace, pod: name, uid }: { namespace: string; pod: string; uid: string }): Cached<Pod> {
    const pod = this.#options.pods.find(namespace, name);
    if (pod === undefined) throw new NodeRequestError(404, 'pod does not exist');
    if (uid !== '' && pod.metadata.uid !== uid) throw new NodeRequestError(404, 'pod not found');
    return pod;
  }

  #found(route: ContainerRoute): FoundContainer {
    const pod = this.#options.pods.find(route.namespace, route.pod);
    if (pod === undefined) throw new NodeRequestError(404, `pod "${route.pod}" does not exist`);
    const container = containerSpec(pod, route.container);
    if (container === undefined)
      throw new NodeRequestError(404, `container "${route.container}" not found in pod "${route.pod}"`);
    return { pod, container };
  }

  #running(route: ContainerRoute): FoundContainer {
    const pod = this.#pod(route);
    const container = containerSpec(pod, route.container);
    if (container === undefined)
      throw new NodeRequestError(404, `container not found ("${route.container}")`);
    requireRunning(pod, route.container);
    return { pod, container };
  }
}

function parsed({ url = '/' }: IncomingMessage): { readonly route: Route; readonly query: URLSearchParams } {
  const mark = url.indexOf('?');
  const route = routeOf(mark === -1 ? url : url.slice(0, mark));
  if (route === undefined) throw new NodeRequestError(404, '404 page not found');
  return { route, query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)) };
}

function requirePort(port: number | undefined): number {
  if (port === undefined) throw new NodeRequestError(400, 'a port must be a number from 1 to 65535');
  return port;
}
