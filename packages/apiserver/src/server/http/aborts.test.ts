// When what a request does is cancelled. An abort makes an error with its stack: too dear for each request.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@windlass/base/testing/until';
import { HttpsApi, statusOf } from '../testing/https-api.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';

test('an answer that is complete cancels nothing; a client that leaves before cancels its request', async (t) => {
  await using api = await HttpsApi.start();
  const session = api.session();
  assert.equal((await api.ask(MAPS, { token: 'bob' }, session)).status, 200);
  const abort = t.mock.method(AbortController.prototype, 'abort');
  for (let at = 0; at < 20; at++) await api.ask(MAPS, { token: 'bob' }, session);
  assert.equal(abort.mock.callCount(), 0);

  const watch = api.open(session, `${MAPS}?watch=true`, { token: 'bob' });
  assert.equal(await statusOf(watch), 200);
  watch.close();
  await until(
    'the watch is cancelled',
    () => Promise.resolve(abort.mock.callCount()),
    (count) => count > 0,
  );
});
