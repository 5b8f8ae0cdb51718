import { join, resolve } from 'node:path';
import { realClock } from '@windlass/base';
import { CONSOLE_FILE } from '@windlass/cluster';
import type { WhyAnswer } from '@windlass/console';
import { consoleAddress } from '../clusters/console-address.ts';
import type { Command } from '../command-line/command.ts';
import { EXIT_OK, UsageError } from '../command-line/exit.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import { whyText } from './why-text.ts';

export const whyCommand: Command = {
  name: 'why',
  summary: 'say why an object is as it is: runs, writes, events',
  help: `windlass why: what made an object as it is

Usage: windlass why KIND NAME [flags]

It asks the console of windlass up: which controllers ran for the object or because of it, with
their reasons and what they wrote; who changed which field, when; and the events. KIND is anything
that kubectl takes: deploy, pods, Node.

What a run read and wrote is noted while a page of the console is open; runs and their reasons
always are.

Flags:
  -n, --namespace NAME the object's namespace         (default default)
  --data-dir DIR       of windlass up                 (default .windlass)
  --console URL        another console, such as that of an operator, as it was printed
  --output FORMAT      text or json                   (default text)

Examples:
  windlass why deployment web
  windlass why pod web-6d4cf56db6-x2k8j -n shop
  windlass why node node-1
`,
  async run(args, terminal, signal) {
    const { values, positionals } = parse(args);
    const [kind, name, ...more] = positionals;
    const output = values.output ?? 'text';
    if (output !== 'text' && output !== 'json')
      throw new UsageError(`--output must be text or json, but it is "${output}"`);
    if (values.console !== undefined) placeOf(values.console);
    if (kind === undefined || name === undefined || more.length > 0)
      throw new UsageError('windlass why takes a kind and a name, such as: windlass why deployment web');
    const url = values.console ?? (await consoleOf(resolve(values['data-dir'] ?? '.windlass')));
    const answer = await askWhy(url, kind, `${values.namespace ?? 'default'}/${name}`, signal);
    terminal.out(
      output === 'json' ? `${JSON.stringify(answer, undefined, 2)}\n` : whyText(answer, realClock.now()),
    );
    return EXIT_OK;
  },
};

async function consoleOf(dataDir: string): Promise<string> {
  const address = await consoleAddress(dataDir);
  if (address !== undefined) return address;
  throw new UsageError(
    `there is no ${join(dataDir, CONSOLE_FILE)}: windlass up does not run with that data directory, or runs with ` +
      '--no-console; name it with --data-dir, or the console with --console',
  );
}

async function askWhy(url: string, kind: string, key: string, signal: AbortSignal): Promise<WhyAnswer> {
  const { status, body } = await ask(
    url,
    `/api/why?${new URLSearchParams({ kind, key }).toString()}`,
    signal,
  );
  if (status === 200) return body as WhyAnswer; // what this path answers
  const error = isRefusal(body) ? body.error : `the console answered ${status}`;
  throw new UsageError(status === 401 ? `${error}; has windlass up been started anew?` : error);
}

async function ask(
  url: string,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly status: number; readonly body: unknown }> {
  const { origin, token } = placeOf(url);
  try {
    const response = await fetch(`${origin}${path}`, {
      headers: { authorization: `Bearer ${token}` },
      signal,
    });
    const body: unknown = await response.json();
    return { status: response.status, body };
  } catch (cause) {
    throw new Error(`the console at ${origin} does not answer; does windlass up still run?`, { cause });
  }
}

function placeOf(url: string): { readonly origin: string; readonly token: string } {
  try {
    const { origin, searchParams } = new URL(url);
    return { origin, token: searchParams.get('token') ?? '' };
  } catch {
    throw new UsageError(
      `--console must be an address such as http://127.0.0.1:8080/?token=…, but it is "${url}"`,
    );
  }
}

function isRefusal(body: unknown): body is { readonly error: string } {
  return typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string';
}

function parse(args: readonly string[]) {
  return parseFlags('windlass help why', args, {
    allowPositionals: true,
    options: {
      namespace: { type: 'string', short: 'n' },
      'data-dir': { type: 'string' },
      console: { type: 'string' },
      output: { type: 'string' },
    },
  });
}
