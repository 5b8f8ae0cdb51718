import type { Duplex } from 'node:stream';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { checkName, namespaceFor } from '../resource/checks.ts';
import { ResourceClient } from '../resource/resource-client.ts';
import { objectPath } from '../resource/resource-path.ts';
import { subjectOf } from '../resource/resource-reader.ts';
import { type AttachOptions, checkCommand, commandQuery, type ExecOptions } from './command-options.ts';
import { type CopyOptions, type CopyResult, checkPath } from './copy/copy-options.ts';
import { type LogOptions, logQuery, maxLineBytesOf } from './log-options.ts';
import type { StreamTarget } from './open-stream.ts';
import { PodLogs } from './pod-logs.ts';
import type { PodProcess } from './pod-process.ts';
import type { ForwardOptions, PortListener } from './port-listener.ts';

/** Options of one connection to a port of a pod. */
export interface PortForwardOptions {
  /** Closes the connection. */
  readonly signal?: AbortSignal;
}

/** Everything that can be done with pods in one namespace: what every kind has, and what runs in them. */
export class PodsClient extends ResourceClient<Pod> {
  override namespace(namespace: string): PodsClient {
    return new PodsClient({ ...this.context, namespace });
  }

  /**
   * What a container has printed: lines, or bytes with `.bytes()`.
   * @throws StatusError while it is read, when there is no such pod or container, or it has not started
   */
  logs(name: string, options: LogOptions = {}): PodLogs {
    const query = logQuery(options);
    return new PodLogs(async () => {
      const { caller } = this.context;
      const { path, subject } = await this.#pod(name, 'log', options.signal);
      const request = { method: 'GET' as const, path, query };
      if (caller.canStream || options.follow === true) return caller.stream(request, subject, options.signal);
      const { signal } = options;
      const { body } = await caller.call(request, subject, signal === undefined ? {} : { signal });
      return wholeBody(body);
    }, maxLineBytesOf(options));
  }

  /**
   * Runs a command in a container. Resolves when it runs; `exited` says how it ended.
   * @throws StatusError when there is no such pod or container, or it does not run
   */
  async exec(name: string, command: readonly string[], options: ExecOptions = {}): Promise<PodProcess> {
    checkCommand(command);
    return this.#process(name, 'exec', commandQuery(options, command), options.signal);
  }

  /** Joins what a container runs: what it prints from now on, and its stdin if it has one. */
  async attach(name: string, options: AttachOptions = {}): Promise<PodProcess> {
    return this.#process(name, 'attach', commandQuery(options), options.signal);
  }

  /** Opens one connection to a port of a pod. It fails with what the node says when nothing listens there. */
  async portForward(name: string, port: number, options: PortForwardOptions = {}): Promise<Duplex> {
    // What it needs is loaded when it is needed.
    const { checkPort, openPort } = await import('./port-connection.ts');
    checkPort(port);
    return openPort(await this.#target(name, 'portforward', {}, options.signal), port);
  }

  /** Listens on a local port, and leads each connection to a port of a pod. */
  async listenAndForward(name: string, port: number, options: ForwardOptions = {}): Promise<PortListener> {
    const { checkPort } = await import('./port-connection.ts');
    const { PortListener: Listener } = await import('./port-listener.ts');
    checkPort(port);
    return Listener.start((signal) => this.portForward(name, port, { signal }), options);
  }

  /**
   * Copies a file or a folder of this machine into a container, as `kubectl cp` does: a folder that is there already
   * gets it inside, under its own name. Links are copied as links. Needs `tar` in the container.
   * @throws CopyError when there is no `tar`, or it fails; StatusError when there is no such pod or container
   */
  async copyTo(
    name: string,
    localPath: string,
    remotePath: string,
    options: CopyOptions = {},
  ): Promise<CopyResult> {
    checkPath('localPath', localPath);
    checkPath('remotePath', remotePath);
    const { copyInto } = await import('./copy/copy.ts');
    return copyInto(
      (command, streams) => this.#copying(name, command, streams, options),
      localPath,
      remotePath,
      options,
    );
  }

  /**
   * Copies a file or a folder of a container to this machine. What the container sends is not trusted: a file outside of
   * what was asked for is refused, and a link that would lead out of it is skipped.
   * @throws CopyError when there is no `tar`, it fails, or what it sends is refused
   */
  async copyFrom(
    name: string,
    remotePath: string,
    localPath: string,
    options: CopyOptions = {},
  ): Promise<CopyResult> {
    checkPath('remotePath', remotePath);
    checkPath('localPath', localPath);
    const { copyOutOf } = await import('./copy/copy.ts');
    return copyOutOf(
      (command, streams) => this.#copying(name, command, streams, options),
      remotePath,
      localPath,
      options,
    );
  }

  #copying(
    name: string,
    command: readonly string[],
    streams: ExecOptions,
    { container, signal }: CopyOptions,
  ): Promise<PodProcess> {
    return this.exec(name, command, {
      ...streams,
      ...(container === undefined ? {} : { container }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async #process(
    name: string,
    action: 'exec' | 'attach',
    query: StreamTarget['query'],
    signal: AbortSignal | undefined,
  ): Promise<PodProcess> {
    const { openProcess } = await import('./open-process.ts');
    return openProcess(await this.#target(name, action, query, signal), `${action} in the pod ${name}`);
  }

  async #target(
    name: string,
    action: string,
    query: StreamTarget['query'],
    signal: AbortSignal | undefined,
  ): Promise<StreamTarget> {
    const { caller, random } = this.context;
    return { caller, random, query, signal, ...(await this.#pod(name, action, signal)) };
  }

  async #pod(name: string, subresource: string, signal: AbortSignal | undefined): Promise<PodPath> {
    const type = await this.context.target.resolve(signal);
    checkName(type.kind, name);
    const path = objectPath(type, namespaceFor(type, this.context.namespace), name, subresource);
    return { path, subject: subjectOf('GET', type, name) };
  }
}

interface PodPath {
  readonly path: string;
  readonly subject: ReturnType<typeof subjectOf>;
}

/** An answer that came at once, as a transport without streams gives it. */
async function* wholeBody(body: unknown): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body;
  else if (body !== undefined) yield Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
