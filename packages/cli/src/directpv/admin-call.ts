import { encodeYaml } from '@windlass/apimachinery';
import type { Client } from '@windlass/client';
import type { Progress } from '@windlass/directpv';
import { UsageError } from '../command-line/exit.ts';
import type { Terminal } from '../command-line/terminal.ts';
import type { Connect } from './connect.ts';

type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

interface AdminCallOptions {
  readonly values: Values;
  readonly positionals: readonly string[];
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
  /** As it was typed: `kubectl directpv list drives`. */
  readonly command: string;
  readonly connect: Connect;
}

export type OutputFormat = 'table' | 'wide' | 'json' | 'yaml';

const CLEAR_LINE = '\r\u001b[K';

/** One call of an administration command: what was asked, and where to answer. */
export class AdminCall implements AsyncDisposable {
  readonly positionals: readonly string[];
  readonly signal: AbortSignal;
  readonly command: string;
  readonly #options: AdminCallOptions;
  #client: Client | undefined = undefined;
  #isLineOpen = false;

  constructor(options: AdminCallOptions) {
    this.#options = options;
    this.positionals = options.positionals;
    this.signal = options.signal;
    this.command = options.command;
  }

  /** The cluster; connected to when it is first needed, so that a wrong call is told as such. */
  async client(): Promise<Client> {
    this.#client ??= await this.#options.connect({
      kubeconfig: this.text('kubeconfig'),
      context: this.text('context'),
    });
    return this.#client;
  }

  text(flag: string): string | undefined {
    const value = this.#options.values[flag];
    return typeof value === 'string' ? value : undefined;
  }

  has(flag: string): boolean {
    return this.#options.values[flag] === true;
  }

  list(flag: string): readonly string[] {
    const value = this.#options.values[flag];
    return Array.isArray(value) ? value.map(String) : [];
  }

  /** One of a few words, in any case. */
  choices<T extends string>(flag: string, allowed: readonly T[]): T[] {
    const words = this.list(flag)
      .flatMap((text) => text.split(','))
      .filter((word) => word !== '');
    return words.map((word) => {
      const found = allowed.find((choice) => choice.toLowerCase() === word.toLowerCase());
      if (found === undefined)
        throw new UsageError(`--${flag} must be of ${allowed.join(', ').toLowerCase()}, but it is "${word}"`);
      return found;
    });
  }

  outputFormat(): OutputFormat {
    const format = this.text('output') ?? 'table';
    if (format === 'table' || format === 'wide' || format === 'json' || format === 'yaml') return format;
    throw new UsageError(`--output must be json, yaml or wide, but it is "${format}"`);
  }

  /** A length of time: `90s`, `2m`, `1h`. */
  duration(flag: string): number | undefined {
    const text = this.text(flag);
    if (text === undefined) return undefined;
    const [, count = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
    const factor = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit];
    if (factor === undefined)
      throw new UsageError(`--${flag} must be a time such as 90s or 2m, but it is "${text}"`);
    return Number(count) * factor;
  }

  /** Data is at stake; whoever means it says so. Somebody who only wants to look need not. */
  requireDangerous(what: string): void {
    if (this.has('dangerous') || this.has('dry-run')) return;
    throw new UsageError(`${what}; add --dangerous if you mean it`);
  }

  print(text: string): void {
    this.#endLine();
    this.#options.terminal.out(text);
  }

  printData(value: unknown, format: 'json' | 'yaml'): void {
    this.print(format === 'json' ? `${JSON.stringify(value, undefined, 2)}\n` : encodeYaml(value));
  }

  /** Beside the results: what people like to know, and scripts do not. */
  note(text: string): void {
    if (!this.has('quiet')) this.complain(text);
  }

  complain(text: string): void {
    this.#endLine();
    this.#options.terminal.err(`${text}\n`);
  }

  /** Progress, on a terminal only, in one line that is written over. */
  readonly progress = ({ done, of, node }: Progress): void =>
    this.showLine(`${done} of ${of} nodes: ${node}`);

  showLine(text: string): void {
    const { terminal } = this.#options;
    if (!terminal.isTty || this.has('quiet')) return;
    this.#isLineOpen = true;
    terminal.err(`${CLEAR_LINE}${text}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#endLine();
    await this.#client?.close();
  }

  #endLine(): void {
    if (!this.#isLineOpen) return;
    this.#isLineOpen = false;
    this.#options.terminal.err(CLEAR_LINE);
  }
}
