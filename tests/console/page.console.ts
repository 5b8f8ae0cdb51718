// The page itself, with a made-up cluster: how it looks, keys, small screens, lost connections, and a lot to show.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from './browser/browser.ts';
import type { BrowserPage, PageOptions } from './browser/page.ts';
import { FixtureServer } from './fixture/fixture-server.ts';
import { screenshotFile } from './screenshots.ts';

const PAGES = {
  loop: '#/loop',
  cluster: '#/cluster',
  storage: '#/storage',
  try: '#/try',
  object: '#/object/deployments.apps/default/app-1',
  key: '#/key/node-lifecycle/node-1',
};
/** Something of each page that is only there when it has what it shows. */
const SIGNS: Readonly<Record<keyof typeof PAGES, string>> = {
  loop: '.runs tbody tr',
  cluster: '.node .tile',
  storage: '.drive-bar',
  try: '.strip .tile',
  object: '.yaml .y-key',
  key: '.run-cards li',
};
const NAMES = Object.keys(PAGES) as (keyof typeof PAGES)[]; // no others are in it

let browser: Browser;

before(async () => {
  browser = await Browser.start();
});
after(() => browser?.[Symbol.asyncDispose]());

async function openLive(fixture: FixtureServer, hash: string, options?: PageOptions): Promise<BrowserPage> {
  const page = await browser.open(`${fixture.url}${hash}`, options);
  await page.waitFor('the connection', 'document.querySelector(".connection.live")');
  return page;
}

for (const [look, options] of [
  ['light', {}],
  ['dark', { scheme: 'dark' }],
  ['phone', { width: 360, height: 780 }],
] as const)
  test(`every page, ${look}: nothing is cut off, and the browser complains of nothing`, async () => {
    await using fixture = await FixtureServer.start();
    const page = await openLive(fixture, '', options);
    for (const name of NAMES) {
      await page.evaluate(`location.hash = '${PAGES[name]}'`);
      await page.waitFor(name, `document.querySelector(${JSON.stringify(SIGNS[name])})`);
      const sideways = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      assert.equal(await page.evaluate(sideways), 0, `${name} scrolls sideways`);
      await page.screenshot(screenshotFile(`${look}-${name}`));
    }
    assert.deepEqual(page.problems, []);
  });

test('the figures are those of the protocol', async () => {
  await using fixture = await FixtureServer.start({ runsPerSecond: 0 });
  const page = await openLive(fixture, '#/loop');
  for (const { name, runs } of fixture.loop.tick().controllers)
    assert.equal(await page.text(`[data-controller="${name}"] [data-figure=runs]`), String(runs), name);
  await page.press('3');
  await page.waitFor('the drives', 'document.querySelector(".drive-bar")');
  assert.equal(await page.text('[data-figure=drives]'), String(fixture.cluster.items('Drive').length));
  assert.equal(await page.text('[data-figure=volumes]'), String(fixture.cluster.items('Volume').length));
  assert.equal(await page.count('.drive.is-troubled'), 2, 'one is lost, one is read-only');
});

test('everything can be done with the keyboard', async () => {
  await using fixture = await FixtureServer.start();
  const page = await openLive(fixture, '#/loop');
  const hash = (): Promise<string> => page.evaluate('location.hash');
  await page.press('2');
  await page.waitFor('the cluster', 'document.querySelector(".node .tile")');
  assert.equal(await hash(), '#/cluster');

  await page.press('/');
  await page.write('app-3');
  await page.waitFor('the filter', 'document.querySelectorAll(".tree > li").length === 1');
  await page.press('Escape');
  await page.waitFor('everything again', 'document.querySelectorAll(".tree > li").length > 1');
  await page.press('Escape');

  await page.press('j');
  await page.press('j');
  await page.press('k');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'node-1');
  await page.press('ArrowRight');
  await page.waitFor('what the tile is', 'document.querySelector(".tip b")');
  assert.equal(
    await page.text('.tip b'),
    await page.evaluate('document.activeElement.getAttribute("data-pod")'),
  );
  await page.evaluate('document.activeElement.click()');
  await page.waitFor('the pod', 'location.hash.startsWith("#/object/pods/")');
  await page.press('Escape');
  await page.waitFor('the cluster again', 'location.hash === "#/cluster"');

  await page.press('?');
  await page.waitFor('the help', 'document.querySelector("dialog[open]")');
  await page.click('dialog button');
  await page.waitFor('no help', '!document.querySelector("dialog")');
  assert.deepEqual(page.problems, []);
});

test('the colours can be chosen, and the choice is kept', async () => {
  await using fixture = await FixtureServer.start();
  const page = await openLive(fixture, '#/loop');
  const ground = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const light = await ground();
  await page.click('.theme');
  await page.click('.theme');
  await page.waitFor('dark', 'document.documentElement.dataset.theme === "dark"');
  assert.notEqual(await ground(), light);
  await page.goto(fixture.url);
  assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
});

test('who wants no motion gets none', async () => {
  await using fixture = await FixtureServer.start();
  const page = await openLive(fixture, '#/loop', { reducedMotion: true });
  await page.waitFor('something that flows', 'document.querySelector(".flow.is-moving")');
  assert.equal(await page.evaluate('document.getAnimations().length'), 0);
});

test('a lost connection is said, and it reconnects by itself, also to a new process', async () => {
  const first = await FixtureServer.start();
  const port = Number(new URL(first.url).port);
  const page = await openLive(first, '#/cluster');
  await page.waitFor('the pods', 'document.querySelector(".node .tile")');
  await first[Symbol.asyncDispose]();
  await page.waitFor('the banner', 'document.querySelector(".banner")');
  assert.match((await page.text('.banner')) ?? '', /The connection is lost\. What you see is \d+ s old\./);
  assert.ok((await page.count('.node .tile')) > 0, 'what was known stays');
  await page.screenshot(screenshotFile('light-lost'));
  await using second = await FixtureServer.start({ port, nodes: 2, seed: 7 });
  await page.waitFor('the connection', 'document.querySelector(".connection.live")');
  await page.waitFor('only what is there now', 'document.querySelectorAll(".nodes .node").length === 2');
  assert.equal(await page.count('.banner'), 0);
  await page.press('1');
  await page.waitFor('the runs of the new process', 'document.querySelector(".runs tbody tr")');
  assert.ok(second.loop.after(0).length > 0);
});

test('sixty controllers, five hundred pods and a thousand runs a second leave the page quick', async () => {
  await using fixture = await FixtureServer.start({
    nodes: 12,
    pods: 500,
    controllers: 60,
    runsPerSecond: 1000,
  });
  const page = await openLive(fixture, '#/loop');
  for (const name of ['loop', 'cluster', 'try'] as const) {
    await page.evaluate(`location.hash = '${PAGES[name]}'`);
    await page.waitFor(name, `document.querySelector(${JSON.stringify(SIGNS[name])})`);
    const busyShare = await page.busyShare(3000);
    // The browser draws without a graphics card here, on a machine that does other things too.
    assert.ok(
      busyShare < 0.5,
      `${name} keeps the page busy for ${Math.round(busyShare * 100)} % of the time`,
    );
  }
  assert.ok((await page.count('*')) < 5000);
  await page.screenshot(screenshotFile('light-many'));
  assert.deepEqual(page.problems, []);
});
