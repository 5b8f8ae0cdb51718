// The two servers behind one face.
import type { Transport } from '@windlass/apimachinery';
import { ApiServer, createMemoryStore } from '@windlass/apiserver';
import { type Clock, realClock, type Timer, type TimerOptions } from '@windlass/base';
import { JsonApi } from '../support/json-api.ts';
import { CUSTOM_GROUP, customDefinitions } from './custom-kinds.ts';
import type { FuzzRequest } from './history.ts';
import type { Json } from './kinds.ts';
import type { RawAnswer } from './outcome.ts';

export interface Server {
  send(request: FuzzRequest): Promise<RawAnswer>;
}

const USER_AGENT = 'windlass-tests/1';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export interface Servers extends AsyncDisposable {
  readonly real: Server;
  readonly ours: Server;
}

export async function openServers(): Promise<Servers> {
  const api = await JsonApi.open();
  // The range of addresses is the real server's.
  const clock = new HurriedClock();
  const server = new ApiServer({ store: createMemoryStore(), serviceCidr: '10.96.0.0/16', clock });
  await server.ready();
  const transport = server.transport({ name: 'admin', groups: ['system:masters', 'system:authenticated'] });
  const real: Server = {
    send: ({ method, path, query, body, contentType }) =>
      api.call(method, path, {
        userAgent: USER_AGENT,
        ...(query !== undefined && { query }),
        ...(body !== undefined && { body }),
        ...(contentType !== undefined && { contentType }),
      }),
  };
  const ours: Server = {
    send(request) {
      clock.hurry();
      return sendInProcess(transport, request);
    },
  };
  await Promise.all([real, ours].map(prepare));
  return {
    real,
    ours,
    async [Symbol.asyncDispose]() {
      api[Symbol.dispose]();
      await server.close();
    },
  };
}

/**
 * A second passes with every request. What is written twice is then written at two times, and whether the second
 * write is one does not depend on how fast they are.
 */
class HurriedClock implements Clock {
  #aheadMs = 0;

  hurry(): void {
    this.#aheadMs += 1000;
  }

  now(): number {
    return realClock.now() + this.#aheadMs;
  }

  monotonic(): number {
    return realClock.monotonic();
  }

  setTimeout(callback: () => void, delayMs: number, options?: TimerOptions): Timer {
    return realClock.setTimeout(callback, delayMs, options);
  }
}

async function sendInProcess(transport: Transport, request: FuzzRequest): Promise<RawAnswer> {
  const { method, path, query = {}, contentType = 'application/json' } = request;
  const headers = { 'content-type': contentType, 'user-agent': USER_AGENT };
  // As text, so that it is read as on the wire.
  const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body));
  const call = { method, path, query, headers, ...(body !== undefined && { body }) };
  if (query['watch'] === undefined) {
    const answer = await transport.request(call);
    return { status: answer.status, body: answer.body as Json };
  }
  const watch = await transport.watch(call);
  if (watch.events === undefined) return { status: watch.status, body: watch.body as Json };
  const events = (await Array.fromAsync(watch.events)).flat();
  return { status: watch.status, body: events.length === 0 ? { text: '' } : { events } };
}

/** The custom kinds are defined and served. */
async function prepare(server: Server): Promise<void> {
  for (const definition of customDefinitions()) {
    const { status, body } = await server.send({ method: 'POST', path: DEFINITIONS, body: definition });
    if (status !== 201 && status !== 409) throw new Error(JSON.stringify(body));
  }
  for (const plural of ['gadgets', 'widgets'])
    while ((await server.send({ method: 'GET', path: `/apis/${CUSTOM_GROUP}/v1/${plural}` })).status !== 200);
}
