import { type FSWatcher, watch } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory, onAbort, toError } from '@windlass/base';
import { CsiClient, RegistrationClient } from '@windlass/csi';
import { type Controller, type Manager, type Reconcile, timerSource } from '@windlass/runtime';
import { exponential } from '@windlass/workqueue';
import type { NodeDriver } from '../volume-manager/csi/node-driver.ts';
import { VolumeError } from '../volume-manager/errors.ts';
import { errorCode } from '../volume-manager/files/node-files.ts';
import { NodePaths } from '../volume-manager/node-paths.ts';
import { CsiNodeWriter } from './csi-node-writer.ts';

export interface PluginWatcherOptions {
  readonly manager: Manager;
  /** Sockets are looked for in their folders. */
  readonly nodes: readonly { readonly name: string; readonly root?: string }[];
  readonly isSuspended: (node: string) => boolean;
  readonly addDriver: (node: string, name: string, driver: NodeDriver) => void;
  readonly removeDriver: (node: string, name: string) => void;
}

/** A driver that is one of the node's. */
interface Registered {
  readonly name: string;
  /** Which of the sockets that have had this path it is. */
  readonly socketId: string;
  readonly driver: NodeDriver;
  readonly close: () => Promise<void>;
}

interface WatchedNode {
  readonly paths: NodePaths | undefined;
  /** By the name of the socket; of drivers in this process by `=NAME`. */
  readonly registered: Map<string, Registered>;
  /** Drivers of this process that shall be registered. */
  readonly local: Map<string, NodeDriver>;
  /** Whether the server knows the node; before that nobody can be told of its drivers. */
  isRegistered: boolean;
}

/** Folders are watched; but not every file system tells what happens in them. */
const SCAN_MS = 10_000;
const MAX_RETRY_MS = 30_000;
const CALL_MS = 10_000;
const CONCURRENCY = 16;
const SEPARATOR = '|';
const LOCAL = '=';

/**
 * Finds drivers: each puts a socket in the node's `plugins_registry` and says there who it is. It is one of the
 * node's drivers as long as the socket is there.
 */
export class PluginWatcher {
  readonly #options: PluginWatcherOptions;
  readonly #nodes: ReadonlyMap<string, WatchedNode>;
  readonly #writer: CsiNodeWriter;
  readonly #controller: Controller;

  constructor(options: PluginWatcherOptions) {
    const { manager } = options;
    this.#options = options;
    this.#writer = new CsiNodeWriter(manager);
    this.#nodes = new Map(
      options.nodes.map(({ name, root }) => [
        name,
        {
          paths: root === undefined ? undefined : new NodePaths(root),
          registered: new Map(),
          local: new Map(),
          isRegistered: false,
        },
      ]),
    );
    const builder = manager.controller('kubelet-plugins');
    const withRoot = options.nodes.filter(({ root }) => root !== undefined).map(({ name }) => name);
    if (withRoot.length > 0) {
      builder.source(
        timerSource({
          name: 'scan',
          everyMs: SCAN_MS,
          immediately: true,
          clock: manager.clock,
          keys: () => withRoot.map((name) => `${name}${SEPARATOR}`),
        }),
      );
      void manager.add({ name: 'plugin watcher', run: ({ signal }) => this.#watch(signal) }, 'always');
      // These stop after the controllers.
      void manager.add(
        { name: 'plugin connections', run: ({ signal }) => this.#keepConnections(signal) },
        'caches',
      );
    }
    this.#controller = builder.reconcile(this.#reconcile, {
      needsLeadership: false,
      concurrency: CONCURRENCY,
      rateLimiter: exponential({ maxMs: MAX_RETRY_MS }),
    });
  }

  /** The server knows the node from now on. */
  nodeRegistered(node: string): void {
    const watched = this.#of(node);
    watched.isRegistered = true;
    if (watched.paths !== undefined) this.#enqueue(node, '');
    for (const name of watched.local.keys()) this.#enqueue(node, `${LOCAL}${name}`);
  }

  /** A driver of this process, as if it had come by a socket. @returns the way to take it away */
  addLocal(node: string, name: string, driver: NodeDriver): () => void {
    const watched = this.#of(node);
    watched.local.set(name, driver);
    // It needs no introduction: volumes need not wait for the server to hear of it.
    this.#options.addDriver(node, name, driver);
    this.#enqueue(node, `${LOCAL}${name}`);
    return () => {
      if (watched.local.get(name) !== driver) return;
      watched.local.delete(name);
      // Only volumes know a driver that was not introduced to the server yet.
      if (!isKnown(watched.registered, name)) this.#options.removeDriver(node, name);
      this.#enqueue(node, `${LOCAL}${name}`);
    };
  }

  readonly #reconcile: Reconcile = async (key, { signal }) => {
    const end = key.indexOf(SEPARATOR);
    const node = key.slice(0, end);
    const plugin = key.slice(end + 1);
    if (this.#options.isSuspended(node) || !this.#of(node).isRegistered) return;
    if (plugin === '') await this.#scan(node, signal);
    else if (plugin.startsWith(LOCAL)) await this.#syncLocal(node, plugin, signal);
    else await this.#syncSocket(node, plugin, signal);
  };

  async #scan(node: string, signal: AbortSignal): Promise<void> {
    const { paths, registered } = this.#of(node);
    if (paths === undefined) return;
    await this.#writer.ensure(node, signal);
    await makeDirectory(paths.registry);
    const found = (await readdir(paths.registry)).filter((name) => !name.startsWith('.'));
    for (const name of new Set([...found, ...registered.keys()]))
      if (!name.startsWith(LOCAL)) this.#enqueue(node, name);
  }

  async #syncSocket(node: string, socket: string, signal: AbortSignal): Promise<void> {
    const { paths, registered } = this.#of(node);
    if (paths === undefined) return;
    const path = join(paths.registry, socket);
    const id = await socketId(path);
    const before = registered.get(socket);
    if (id === before?.socketId) return;
    if (id === undefined) {
      await this.#deregister(node, socket, signal);
      return;
    }
    const { clock } = this.#options.manager;
    await using registration = new RegistrationClient({ socketPath: path, clock, timeoutMs: CALL_MS });
    const info = await registration.getInfo({}, { signal });
    const { name, endpoint } = info;
    let client: CsiClient | undefined;
    try {
      checkPlugin(info);
      client = new CsiClient({ socketPath: endpoint, clock, driverName: name });
      const driver = client;
      await this.#register(node, socket, { name, socketId: id, driver, close: () => driver.close() }, signal);
    } catch (error) {
      await client?.close();
      const { message } = toError(error);
      await registration.notifyRegistrationStatus({ pluginRegistered: false, error: message }, { signal });
      throw error;
    }
    await registration.notifyRegistrationStatus({ pluginRegistered: true }, { signal });
  }

  async #syncLocal(node: string, plugin: string, signal: AbortSignal): Promise<void> {
    const { local, registered } = this.#of(node);
    const name = plugin.slice(LOCAL.length);
    const driver = local.get(name);
    if (driver === undefined) await this.#deregister(node, plugin, signal);
    else if (registered.get(plugin)?.driver !== driver)
      await this.#register(node, plugin, { name, socketId: '', driver, close: async () => {} }, signal);
  }

  async #register(node: string, plugin: string, driver: Registered, signal: AbortSignal): Promise<void> {
    const { registered } = this.#of(node);
    const info = await driver.driver.nodeGetInfo({}, { signal });
    await this.#writer.write(node, driver.name, info, signal);
    const before = registered.get(plugin);
    registered.set(plugin, driver);
    this.#options.addDriver(node, driver.name, driver.driver);
    await before?.close();
    const { logger } = this.#options.manager;
    logger.info('a CSI driver was registered', { node, driver: driver.name });
  }

  async #deregister(node: string, plugin: string, signal: AbortSignal): Promise<void> {
    const { registered } = this.#of(node);
    const gone = registered.get(plugin);
    if (gone === undefined) return;
    const { name, close } = gone;
    // The driver may have come back by another socket.
    if (!isKnown(registered, name, plugin)) {
      await this.#writer.write(node, name, undefined, signal);
      this.#options.removeDriver(node, name);
    }
    registered.delete(plugin);
    await close();
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const watchers: FSWatcher[] = [];
    for (const [node, { paths }] of this.#nodes) {
      if (paths === undefined) continue;
      // The folder is scanned now and then in any case.
      const warn = (error: unknown): void =>
        this.#options.manager.logger.warn('a folder cannot be watched', { folder: paths.registry, error });
      try {
        await makeDirectory(paths.registry);
        const watcher = watch(paths.registry, { persistent: false }, () => this.#enqueue(node, ''));
        watchers.push(watcher.on('error', warn));
      } catch (error) {
        warn(error);
      }
    }
    await aborted(signal);
    for (const watcher of watchers) watcher.close();
  }

  /** Connections last as long as somebody may still unmount something over them. */
  async #keepConnections(signal: AbortSignal): Promise<void> {
    await aborted(signal);
    for (const { registered } of this.#nodes.values())
      for (const { close } of registered.values()) await close();
  }

  #of(node: string): WatchedNode {
    const watched = this.#nodes.get(node);
    if (watched === undefined) throw new RangeError(`node "${node}" is not one of this agent`);
    return watched;
  }

  #enqueue(node: string, plugin: string): void {
    this.#controller.enqueue(`${node}${SEPARATOR}${plugin}`, { source: 'plugins' });
  }
}

/** Whether a driver of this name is registered by another plugin than `except`. */
function isKnown(registered: ReadonlyMap<string, Registered>, name: string, except?: string): boolean {
  return [...registered].some(([plugin, each]) => plugin !== except && each.name === name);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    onAbort(signal, resolve);
  });
}

/** Undefined: there is none. One that was made anew differs from the one before it. */
async function socketId(path: string): Promise<string | undefined> {
  try {
    const stat = await lstat(path);
    return stat.isSocket() ? `${stat.ino} ${stat.ctimeMs}` : undefined;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function checkPlugin(info: {
  type: string;
  name: string;
  endpoint: string;
  supportedVersions: readonly string[];
}): void {
  const { type, name, endpoint, supportedVersions } = info;
  if (type !== 'CSIPlugin')
    throw new VolumeError(`plugin "${name}" is of type "${type}"; only CSIPlugin is known here`);
  if (name === '' || endpoint === '') throw new VolumeError('a plugin must give its name and its endpoint');
  if (!supportedVersions.some((version) => /^v?1(\.|$)/.test(version)))
    throw new VolumeError(
      `driver ${name} supports none of the versions that the node does: it has ${supportedVersions.join(', ')}, the node 1.x`,
    );
}
