// The console of a real `windlass up`, in a real browser: what the pages say is what the API server says.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { Node, Pod } from '@windlass/apimachinery/api/core/v1';
import { until } from '@windlass/base/testing/until';
import { DirectPVDrive } from '@windlass/directpv';
import { Browser } from './browser/browser.ts';
import type { BrowserPage } from './browser/page.ts';
import { screenshotFile } from './screenshots.ts';
import { WindlassUp } from './windlass-up.ts';

let up: WindlassUp;
let browser: Browser;
let page: BrowserPage;

before(async () => {
  up = await WindlassUp.start();
  browser = await Browser.start();
  page = await browser.open(up.consoleUrl);
  const labels = { app: 'web' };
  await up.client
    .resource(Deployment)
    .namespace('default')
    .create({
      metadata: { name: 'web' },
      spec: {
        replicas: 6,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } },
      },
    });
});
after(async () => {
  await browser?.[Symbol.asyncDispose]();
  await up?.[Symbol.asyncDispose]();
});

const show = async (hash: string): Promise<void> => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
const figure = async (selector: string): Promise<number> =>
  Number.parseInt(((await page.text(selector)) ?? '').replaceAll(',', ''), 10);

test('the token does not stay in the address', async () => {
  await page.waitFor('the connection', 'document.querySelector(".connection.live")');
  assert.equal(await page.evaluate('location.search'), '');
});

test('the loop shows the controllers at work, with the figures of /metrics', async () => {
  await show('#/loop');
  await page.waitFor(
    'the picture',
    'document.querySelector("article[data-controller=deployment-controller]")',
  );
  await page.screenshot(screenshotFile('up-loop'));
  await until(
    'the page and /metrics to say the same',
    async () => ({
      page: await figure('[data-controller=deployment-controller] [data-figure=runs]'),
      metrics: await up.runsOf('deployment-controller'),
    }),
    (seen) => seen.page > 0 && seen.page === seen.metrics,
  );
  await page.waitFor(
    'a run of the deployment',
    'document.querySelector(".runs .key a[title=\\"default/web\\"]")',
  );
});

test('a key shows why it ran and what it wrote', async () => {
  await show('#/key/deployment-controller/default/web');
  await page.waitFor('a run', 'document.querySelector(".run-cards summary")');
  await page.evaluate(
    'document.querySelectorAll(".run-cards details").forEach((run) => { run.open = true; })',
  );
  await page.waitFor('a write', 'document.querySelector(".write .diff .after")');
  assert.match((await page.text('.run-cards')) ?? '', /update of replicasets\.apps default\/web-/);
  await page.screenshot(screenshotFile('up-key'));
});

test('the cluster shows the nodes and pods that the API server has', async () => {
  await show('#/cluster');
  const nodes = (await up.client.resource(Node).list()).items.length;
  const pods = (await up.client.resource(Pod).list()).items.length;
  assert.ok(nodes > 0 && pods >= 6);
  await page.waitFor(
    'all of them to run',
    `document.querySelectorAll('.node .tile.well').length === ${pods}`,
  );
  assert.equal(await figure('[data-figure=nodes]'), nodes);
  assert.equal(await figure('[data-figure=pods]'), pods);
  assert.match((await page.text('.tree')) ?? '', /Deployment\s*default\/web\s*6\/6.*ReplicaSet/);
  await page.screenshot(screenshotFile('up-cluster'));
});

test('an object has its revisions, and says who wrote them', async () => {
  await page.click('.tree a[href="#/object/deployments.apps/default/web"]');
  await page.waitFor('its history', 'document.querySelector(".history .revision")');
  assert.match((await page.text('.yaml')) ?? '', /kind: Deployment/);
  await page.waitFor(
    'more than one',
    'Number(document.querySelector("[data-figure=revision]").textContent) > 1',
  );
  const newest = await figure('[data-figure=revision]');
  await page.click('.history button[aria-label="Older revision"]');
  await page.waitFor(
    'the one before',
    `document.querySelector("[data-figure=revision]").textContent === "${newest - 1}"`,
  );
  assert.ok((await page.count('.history .field')) > 0);
  const run = '.object-runs a[href="#/key/deployment-controller/default/web"]';
  await page.waitFor('a run for it', `document.querySelector(${JSON.stringify(run)})`);
  await page.screenshot(screenshotFile('up-object'));
});

test('an event leads to what it is about', async () => {
  await show('#/cluster');
  await page.click('.events a[href^="#/object/Pod/"]');
  await page.waitFor('the pod', 'document.querySelector(".yaml")?.textContent.includes("kind: Pod")');
  await page.waitFor('what happened to it', 'document.querySelector(".events.about li")');
  assert.match((await page.text('.events.about')) ?? '', /Scheduled/);
  await page.screenshot(screenshotFile('up-pod'));
});

test('the storage shows the drives', async () => {
  await show('#/storage');
  const drives = (await up.client.resource(DirectPVDrive).list()).items.length;
  assert.ok(drives > 0);
  await page.waitFor('the drives', `document.querySelectorAll('[data-drive]').length === ${drives}`);
  assert.equal(await figure('[data-figure=drives]'), drives);
  await page.screenshot(screenshotFile('up-storage'));
});

test('a node that is taken away is marked, and comes back', async () => {
  await show('#/try');
  await page.click('button[data-node=node-1]');
  await page.waitFor('the answer', 'document.querySelector(".answers li")');
  await page.waitFor('the mark', 'document.querySelector(".strip [data-node=node-1].is-troubled")');
  assert.match((await page.text('.strip [data-node=node-1] header')) ?? '', /! taken away/);
  await page.waitFor(
    'the controllers to notice',
    'document.querySelector(".strip [data-node=node-1]").dataset.state === "taken away, not ready"',
    120_000,
  );
  await page.screenshot(screenshotFile('up-try'));
  await page.click('button[data-node=node-1]');
  await page.waitFor(
    'it to be ready',
    'document.querySelector(".strip [data-node=node-1][data-state=Ready]")',
    60_000,
  );
});

test('a deployment that is scaled on the page is scaled', async () => {
  await page.evaluate(`(() => {
    const field = document.querySelector('[data-try=scale] input[type=number]');
    field.value = '9';
    field.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
  await page.click('[data-try=scale] button');
  await page.waitFor('nine pods', 'document.querySelectorAll(".strip .tile.well").length === 9', 60_000);
  const { spec } = await up.client.resource(Deployment).namespace('default').get('web');
  assert.equal(spec?.replicas, 9);
});

test('what cannot be done is said', async () => {
  await page.click('[data-try=create-deployment] button');
  await page.waitFor(
    'the first',
    'document.querySelector(".answers").textContent.includes("default/hello is there")',
  );
  await page.click('[data-try=create-deployment] button');
  await page.waitFor('the refusal', 'document.querySelector(".answers li.bad")');
  assert.match((await page.text('.answers li.bad')) ?? '', /hello.*exists/);
});

test('the browser complained of nothing but that refusal', () => {
  assert.deepEqual(
    page.problems.filter((problem) => !problem.includes('status of 409')),
    [],
  );
});
