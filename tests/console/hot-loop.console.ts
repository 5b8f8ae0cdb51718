// An operator with a bug that many have: each run writes the time, and so each run is the reason for the next. Its
// console must find it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { realClock, sleep } from '@windlass/base';
import { loadConfig } from '@windlass/client';
import { liveConsole } from '@windlass/console';
import { Manager } from '@windlass/runtime';
import { Browser } from './browser/browser.ts';
import { screenshotFile } from './screenshots.ts';
import { WindlassUp } from './windlass-up.ts';

/** So that it is a hot loop, and no load test. */
const RUN_MS = 40;

let up: WindlassUp;
let browser: Browser;
let manager: Manager;
let address: string;

before(async () => {
  up = await WindlassUp.start();
  browser = await Browser.start();
  const served = Promise.withResolvers<string>();
  manager = new Manager({
    config: await loadConfig({ path: up.kubeconfig }),
    console: liveConsole({ title: 'stamper', onReady: served.resolve }),
  });
  const maps = manager.objects(ConfigMap);
  manager
    .controller('stamper')
    .for(ConfigMap, { namespace: 'default', labelSelector: 'stamped=please' })
    .reconcile(async (key) => {
      const map = await maps.find(key);
      if (map === undefined) return;
      await sleep(realClock, RUN_MS);
      // The bug. Of the two maps only one is stamped at each run; the other one is written when it differs.
      if (key.endsWith('/calm') && map.data?.['seen'] === 'yes') return;
      const seen = key.endsWith('/calm') ? 'yes' : new Date().toISOString();
      await maps.patch(key, { data: { seen } });
    });
  await manager.start();
  address = await served.promise;
});
after(async () => {
  await manager?.stop();
  await browser?.[Symbol.asyncDispose]();
  await up?.[Symbol.asyncDispose]();
});

test('the key that wakes itself is marked, with what to do; the one that does not is not', async () => {
  const page = await browser.open(address);
  await page.waitFor('the connection', 'document.querySelector(".connection.live")');
  const maps = up.client.resource(ConfigMap).namespace('default');
  for (const name of ['calm', 'restless'])
    await maps.create({ metadata: { name, labels: { stamped: 'please' } } });
  await page.waitFor('the mark', 'document.querySelector("[data-controller=stamper] .hot")');
  const mark = (await page.text('[data-controller=stamper] .hot')) ?? '';
  assert.match(
    mark,
    /default\/restless wakes itself: every run writes what wakes it\. Write only when something differs/,
  );
  assert.doesNotMatch(mark, /calm/);
  await page.screenshot(screenshotFile('hot-loop'));

  await page.click('[data-controller=stamper] .hot a');
  await page.waitFor('what it means', 'document.querySelector(".hot.large")');
  await page.waitFor('a diff', 'document.querySelector(".run-cards .diff")');
  assert.equal(await page.text('.run-cards .diff .path'), 'data.seen');
  assert.match((await page.text('.run-cards .diff .before')) ?? '', /\d{4}-\d\d-\d\dT/);
  await page.screenshot(screenshotFile('hot-loop-key'));
  const newest = "document.querySelector('.run-cards time').textContent";
  const before = await page.evaluate<string>(newest);
  await page.waitFor('a newer run', `${newest} !== ${JSON.stringify(before)}`);
  assert.equal(
    await page.count('.run-cards li:first-child details[open]'),
    0,
    'a new run does not open by itself',
  );
  assert.equal(
    await page.count('nav a[href="#/try"]'),
    0,
    'against a cluster of others the console only looks',
  );
  assert.deepEqual(page.problems, []);
});
