import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { GrpcError } from '@windlass/grpc';
import { wantedStreams } from '../server/command-upgrade.ts';
import { containerSpec, loggedRun, NodeRequestError, requireRunning } from '../server/container-state.ts';
import { logOptionsOf } from '../server/log-options.ts';
import type { AnswerContext, NodeAnswers, Upgrade } from '../server/node-answers.ts';
import { portOf } from '../server/port-forward.ts';
import { type Route, routeOf } from '../server/route.ts';
import { writeTexts } from '../server/write-log.ts';
import type { CriRuntime } from './cri-runtime.ts';
import { containerIdOf } from './known-container.ts';
import { readLog } from './logs/read-log.ts';
import { proxyStream } from './proxy-stream.ts';
import { resourceMetricsPage, summaryPage } from './stats-pages.ts';

type ContainerRoute = Extract<Route, { readonly container: string }>;
type PortRoute = Extract<Route, { readonly type: 'portForward' }>;

/** As long as a command of `/run` may take. */
const RUN_S = 60;

/** What a node answers whose containers run in a container runtime. */
export class CriAnswers implements NodeAnswers {
  readonly #runtime: CriRuntime;
  readonly #context: AnswerContext;

  constructor(runtime: CriRuntime, context: AnswerContext) {
    this.#runtime = runtime;
    this.#context = context;
  }

  async answer(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const { pods } = this.#context;
    const { route, query } = parsed(request);
    const text = (body: string, type = 'text/plain; charset=utf-8'): void =>
      void response.writeHead(200, { 'content-type': type }).end(body);
    switch (route.type) {
      case 'logs':
        return this.#logs(route, query, response, signal);
      case 'run':
        return text(await this.#run(route, (query.get('cmd') ?? '').split(' ')));
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
        return text(await resourceMetricsPage(this.#runtime.client, this.#context));
      case 'summary':
        return text(
          JSON.stringify(await summaryPage(this.#runtime.client, this.#context)),
          'application/json',
        );
      default:
        return route satisfies never;
    }
  }

  async upgrade(request: IncomingMessage): Promise<Upgrade> {
    const { route, query } = parsed(request);
    try {
      return await proxyStream(await this.#streamOf(route, query), request.headers);
    } catch (error) {
      if (error instanceof GrpcError) throw new NodeRequestError(500, error.message);
      throw error;
    }
  }

  /** Where the runtime streams what is asked for. */
  async #streamOf(route: Route, query: URLSearchParams): Promise<string> {
    const { client } = this.#runtime;
    if (route.type === 'portForward') return this.#portForward(route, query);
    if (route.type !== 'exec' && route.type !== 'attach')
      throw new NodeRequestError(400, 'this path has no other protocol');
    const streams = wantedStreams(query);
    const containerId = this.#running(route);
    const cmd = query.getAll('command');
    const { url } =
      route.type === 'exec'
        ? await client.exec({ containerId, cmd, ...streams })
        : await client.attach({ containerId, ...streams });
    return url;
  }

  async #portForward(route: PortRoute, query: URLSearchParams): Promise<string> {
    const pod = this.#pod(route);
    if (pod.status?.phase !== 'Running')
      throw new NodeRequestError(
        400,
        `unable to forward port because pod is not running. Current status=${pod.status?.phase ?? 'Unknown'}`,
      );
    const ports = query.getAll('port').map((each) => portOf(each));
    if (ports.includes(undefined)) throw new NodeRequestError(400, 'a port must be a number from 1 to 65535');
    const podSandboxId = await this.#runtime.sandboxOf(pod);
    const port = ports.filter((each) => each !== undefined);
    return (await this.#runtime.client.portForward({ podSandboxId, port })).url;
  }

  async #logs(
    route: ContainerRoute,
    query: URLSearchParams,
    response: ServerResponse,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = this.#context;
    const options = logOptionsOf(query, clock.now());
    if (options === undefined) throw new NodeRequestError(400, '{"message": "Unable to decode query."}');
    const pod = this.#pod({ ...route, uid: '' });
    if (containerSpec(pod, route.container) === undefined)
      throw new NodeRequestError(404, `container "${route.container}" not found in pod "${route.pod}"`);
    // Says in a kubelet's words why there is no log.
    loggedRun(pod, route.container, options.previous);
    const containerId = containerIdOf(pod, route.container, options.previous);
    const path = await this.#logPath(containerId);
    const isWritten = async (): Promise<boolean> => {
      const { containers } = await this.#runtime.client.listContainers({ filter: { id: containerId } });
      return containers.some(({ state }) => state === 'CONTAINER_RUNNING');
    };
    const log = readLog({ path, isWritten }, options, clock, signal);
    await writeTexts(response, log, options.limitBytes);
  }

  async #logPath(containerId: string): Promise<string> {
    try {
      const { status } = await this.#runtime.client.containerStatus({ containerId });
      if (status !== undefined && status.logPath !== '') return status.logPath;
    } catch (error) {
      if (!(error instanceof GrpcError) || error.code !== 'NOT_FOUND') throw error;
    }
    throw new NodeRequestError(
      500,
      `unable to retrieve container logs for containerd://${containerId}: the container is gone`,
    );
  }

  async #run(route: ContainerRoute, cmd: readonly string[]): Promise<string> {
    const { stdout, stderr } = await this.#runtime.client.execSync({
      containerId: this.#running(route),
      cmd,
      timeout: RUN_S,
    });
    return Buffer.concat([Buffer.from(stdout, 'base64'), Buffer.from(stderr, 'base64')]).toString();
  }

  #pod({ namespace, pod: name, uid }: { namespace: string; pod: string; uid: string }): Cached<Pod> {
    const pod = this.#context.pods.find(namespace, name);
    if (pod === undefined) throw new NodeRequestError(404, `pod "${name}" does not exist`);
    if (uid !== '' && pod.metadata.uid !== uid) throw new NodeRequestError(404, 'pod not found');
    return pod;
  }

  #running(route: ContainerRoute): string {
    const pod = this.#pod(route);
    if (containerSpec(pod, route.container) === undefined)
      throw new NodeRequestError(404, `container not found ("${route.container}")`);
    requireRunning(pod, route.container);
    return containerIdOf(pod, route.container, false);
  }
}

function parsed({ url = '/' }: IncomingMessage): { readonly route: Route; readonly query: URLSearchParams } {
  const mark = url.indexOf('?');
  const route = routeOf(mark === -1 ? url : url.slice(0, mark));
  if (route === undefined) throw new NodeRequestError(404, '404 page not found');
  return { route, query: new URLSearchParams(mark === -1 ? '' : url.slice(mark + 1)) };
}
