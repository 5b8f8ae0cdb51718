// One page in the browser. What people see is read by selectors; whatever the browser complains about is kept.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { until } from '@windlass/base/testing/until';
import type { DevTools } from './devtools.ts';

export interface PageOptions {
  /** @default 1280 */
  readonly width?: number;
  /** @default 900 */
  readonly height?: number;
  /** @default light */
  readonly scheme?: 'light' | 'dark';
  /** @default false */
  readonly reducedMotion?: boolean;
}

/** The page answers within this, or something is wrong. */
const WAIT_MS = 20_000;

export class BrowserPage {
  readonly #devtools: DevTools;
  readonly #session: string;
  /** Errors, exceptions and violations of the content security policy. */
  readonly problems: string[] = [];

  static async open(devtools: DevTools, url: string, options: PageOptions = {}): Promise<BrowserPage> {
    const { targetId } = await devtools.send<{ targetId: string }>('Target.createTarget', {
      url: 'about:blank',
    });
    const { sessionId } = await devtools.send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    });
    const page = new BrowserPage(devtools, sessionId);
    await page.#prepare(options);
    await page.goto(url);
    return page;
  }

  private constructor(devtools: DevTools, session: string) {
    this.#devtools = devtools;
    this.#session = session;
  }

  async goto(url: string): Promise<void> {
    await this.#send('Page.navigate', { url });
    await this.waitFor('the page to load', 'document.readyState === "complete"');
  }

  /** What an expression is in the page. It must be JSON. */
  async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.#send<Evaluated>('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined)
      throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    return result.value as T; // as the caller knows the expression
  }

  async waitFor(what: string, expression: string, timeoutMs = WAIT_MS): Promise<void> {
    await until(
      what,
      () => this.evaluate<unknown>(`!!(${expression})`),
      (seen) => seen === true,
      { timeoutMs },
    );
  }

  /** The text of the first element; undefined when there is none. */
  async text(selector: string): Promise<string | undefined> {
    const text = await this.evaluate<string | null>(
      `document.querySelector(${quoted(selector)})?.textContent ?? null`,
    );
    return text ?? undefined;
  }

  count(selector: string): Promise<number> {
    return this.evaluate(`document.querySelectorAll(${quoted(selector)}).length`);
  }

  /** As somebody with a mouse does it, so that what covers the element counts. */
  async click(selector: string): Promise<void> {
    await this.waitFor(
      `${selector} to be there, and enabled`,
      `document.querySelector(${quoted(selector)})?.matches(':not(:disabled)')`,
    );
    const [x, y] = await this.evaluate<[number, number]>(`(() => {
      const element = document.querySelector(${quoted(selector)});
      element.scrollIntoView({ block: 'center' });
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    })()`);
    for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
      await this.#send('Input.dispatchMouseEvent', {
        type,
        x,
        y,
        button: type === 'mouseMoved' ? 'none' : 'left',
        clickCount: 1,
      });
  }

  /** Away from everything that shows something on hover. */
  async rest(): Promise<void> {
    await this.#send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: 1, y: 1 });
  }

  async press(key: string): Promise<void> {
    const text = key.length === 1 ? { text: key } : {};
    await this.#send('Input.dispatchKeyEvent', { type: 'keyDown', key, ...text });
    await this.#send('Input.dispatchKeyEvent', { type: 'keyUp', key });
  }

  async write(text: string): Promise<void> {
    await this.#send('Input.insertText', { text });
  }

  async resize(width: number, height: number): Promise<void> {
    await this.#send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
  }

  /** Which part of the time the page's own thread was busy, 0 to 1: what is left is for people. */
  async busyShare(ms: number): Promise<number> {
    const before = await this.#taskSeconds();
    await this.evaluate(`new Promise((resolve) => setTimeout(resolve, ${ms}))`);
    return ((await this.#taskSeconds()) - before) / (ms / 1000);
  }

  async #taskSeconds(): Promise<number> {
    const { metrics } = await this.#send<Metrics>('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
  }

  /** Once what appears has appeared. */
  async screenshot(file: string): Promise<void> {
    await this.evaluate(`Promise.all(document.getAnimations()
      .filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity)
      .map((animation) => animation.finished.catch(() => {}))).then(() => true)`);
    const { data } = await this.#send<{ data: string }>('Page.captureScreenshot', { format: 'png' });
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.from(data, 'base64'));
  }

  async #prepare({
    width = 1280,
    height = 900,
    scheme = 'light',
    reducedMotion = false,
  }: PageOptions): Promise<void> {
    this.#listen('Log.entryAdded', ({ entry }) => {
      if (entry.level === 'error') this.problems.push(`${entry.text} ${entry.url ?? ''}`.trim());
    });
    this.#listen('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      this.problems.push(exceptionDetails.exception?.description ?? exceptionDetails.text);
    });
    this.#listen('Runtime.consoleAPICalled', ({ type, args }) => {
      if (type === 'error' || type === 'warning')
        this.problems.push(
          args.map(({ value, description }) => description ?? JSON.stringify(value)).join(' '),
        );
    });
    for (const domain of ['Page', 'Runtime', 'Log']) await this.#send(`${domain}.enable`);
    // By the processor's time and not the clock's: other programs of the machine do not count.
    await this.#send('Performance.enable', { timeDomain: 'threadTicks' });
    await this.resize(width, height);
    await this.#send('Emulation.setEmulatedMedia', {
      features: [
        { name: 'prefers-color-scheme', value: scheme },
        { name: 'prefers-reduced-motion', value: reducedMotion ? 'reduce' : 'no-preference' },
      ],
    });
  }

  #listen<K extends keyof Events>(method: K, take: (params: Events[K]) => void): void {
    // The protocol says which event has which form.
    this.#devtools.on(method, this.#session, (params) => take(params as Events[K]));
  }

  #send<T>(method: string, params: object = {}): Promise<T> {
    return this.#devtools.send(method, params, this.#session);
  }
}

interface Metrics {
  readonly metrics: readonly { readonly name: string; readonly value: number }[];
}

interface ExceptionDetails {
  readonly text: string;
  readonly exception?: { readonly description?: string };
}

interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: ExceptionDetails;
}

/** What is listened to. */
interface Events {
  readonly 'Log.entryAdded': LogEntry;
  readonly 'Runtime.exceptionThrown': Thrown;
  readonly 'Runtime.consoleAPICalled': ConsoleCall;
}

interface LogEntry {
  readonly entry: { readonly level: string; readonly text: string; readonly url?: string };
}

interface Thrown {
  readonly exceptionDetails: ExceptionDetails;
}

interface ConsoleCall {
  readonly type: string;
  readonly args: readonly { readonly value?: unknown; readonly description?: string }[];
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
