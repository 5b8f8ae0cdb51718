import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiRequest } from '@windlass/apimachinery';
import { FakeClock, nextTurn, silentLogger } from '@windlass/base';
import { OwnCalls } from '../bootstrap/own-calls.ts';
import { Catalog } from '../resource/catalog.ts';
import type { ApiServices } from './api-services.ts';
import { AutoRegistration } from './auto-registration.ts';

test('a stop waits for what is being written, and nothing is written after it', async () => {
  const catalog = new Catalog();
  let changed = (): void => {};
  // One that nobody wants any more: it is deleted.
  const gone = {
    metadata: { name: 'v1.gone', labels: { 'kube-aggregator.kubernetes.io/automanaged': 'true' } },
  };
  // Only these three methods are used.
  const services = {
    all: () => [gone],
    get: () => gone,
    onChange: (listener: () => void) => {
      changed = listener;
      return () => {
        changed = () => {};
      };
    },
  } as unknown as ApiServices;
  const written: string[] = [];
  const answer = Promise.withResolvers<void>();
  // Nothing is watched by it.
  const calls = new OwnCalls({
    request: async ({ method, path }: ApiRequest) => {
      written.push(`${method} ${path}`);
      await answer.promise;
      return { status: 200, headers: {}, body: {} };
    },
  } as unknown as ConstructorParameters<typeof OwnCalls>[0]);
  const registration = new AutoRegistration({
    catalog,
    services,
    calls,
    clock: new FakeClock(),
    logger: silentLogger,
  });
  void registration.start();
  await nextTurn();
  assert.deepEqual(written, ['DELETE /apis/apiregistration.k8s.io/v1/apiservices/v1.gone']);
  let hasStopped = false;
  const stopped = registration.stop().then(() => {
    hasStopped = true;
  });
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  assert.equal(hasStopped, false);
  answer.resolve();
  await stopped;
  changed();
  await nextTurn();
  assert.equal(written.length, 1);
});
