// A headless Chromium of this machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findProgram } from '../../real/harness/needs.ts';
import { DevTools } from './devtools.ts';
import { BrowserPage, type PageOptions } from './page.ts';

/** Under these names distributions have it. */
const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];

export async function findBrowser(): Promise<string | undefined> {
  for (const name of PROGRAMS) {
    const found = await findProgram(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

export class Browser implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #folder: string;
  readonly #devtools: DevTools;

  static async start(): Promise<Browser> {
    const program = await findBrowser();
    if (program === undefined)
      throw new Error(`there is none of ${PROGRAMS.join(', ')}; npm run test:console installs it`);
    const folder = await mkdtemp(join(tmpdir(), 'windlass-browser-'));
    const args = [
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      '--no-first-run',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--hide-scrollbars',
      '--force-device-scale-factor=1',
      // Containers have little shared memory, and its sandbox refuses to run as root.
      '--disable-dev-shm-usage',
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      'about:blank',
    ];
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    const devtools = await DevTools.connect(await addressOf(child));
    return new Browser(child, folder, devtools);
  }

  private constructor(child: ChildProcess, folder: string, devtools: DevTools) {
    this.#process = child;
    this.#folder = folder;
    this.#devtools = devtools;
  }

  open(url: string, options?: PageOptions): Promise<BrowserPage> {
    return BrowserPage.open(this.#devtools, url, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = this.#process.exitCode === null ? once(this.#process, 'exit') : undefined;
    await this.#devtools.send('Browser.close').catch(() => this.#process.kill('SIGKILL'));
    await ended;
    this.#devtools[Symbol.dispose]();
    // Helpers of the browser may still write for a moment.
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  const said: string[] = [];
  if (child.stderr === null) throw new Error('the browser has no stderr');
  for await (const line of createInterface({ input: child.stderr })) {
    const [, address] = /^DevTools listening on (ws:\S+)$/.exec(line) ?? [];
    if (address !== undefined) {
      child.stderr.resume();
      return address;
    }
    said.push(line);
  }
  throw new Error(`the browser ended before it listened: ${said.join('\n')}`);
}
