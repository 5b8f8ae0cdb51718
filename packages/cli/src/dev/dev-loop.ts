import { join } from 'node:path';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { createLogger, isCancelled, onAbort, realClock, terminalWriter, Undo } from '@windlass/base';
import { type Client, createClient, loadConfig } from '@windlass/client';
import { startCluster } from '@windlass/cluster';
import { EXIT_OK } from '../command-line/exit.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { openConsole } from '../control-plane/console.ts';
import { definitionsInFiles } from '../generate/definition-files.ts';
import { applyDefinitions } from './apply-definitions.ts';
import { operatorDefinitions } from './operator-definitions.ts';
import { Program } from './program.ts';
import type { RunsMessage } from './report-runs.ts';
import { runLines } from './run-lines.ts';
import { SourceChanges } from './source-changes.ts';

export interface DevLoopOptions {
  readonly entry: string;
  /** For the program. */
  readonly args: readonly string[];
  /** The module that exports the definitions. */
  readonly operator: string | undefined;
  /** Otherwise the folder that has them. */
  readonly crds: string | undefined;
  readonly watched: string;
  readonly dataDir: string;
  readonly nodes: number;
  /** Undefined starts a cluster. */
  readonly kubeconfig: string | undefined;
  readonly printsRuns: boolean;
  /** How a file is named to people. */
  readonly shown: (file: string) => string;
  readonly terminal: Terminal;
}

/** A cluster, the operator's definitions and its program, made anew at each change until somebody stops it. */
export class DevLoop {
  readonly #options: DevLoopOptions;
  /** Changes that come while the last ones are worked on wait here. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: DevLoopOptions) {
    this.#options = options;
  }

  /** Resolves with the exit code when the signal has aborted and everything has stopped. */
  async run(signal: AbortSignal): Promise<number> {
    const { watched, entry, args, shown } = this.#options;
    await using stack = new Undo();
    try {
      const { client, kubeconfig } = await this.#connect(stack, signal);
      const program = stack.use(
        new Program({
          entry,
          args,
          environment: { ...process.env, KUBECONFIG: kubeconfig },
          onRuns: (message) => this.#print(message),
          onEnd: (code) => {
            // Ctrl-C reaches it too.
            if (!signal.aborted)
              this.#say(`${shown(entry)} ended with ${code}; it starts again when a file changes`);
          },
        }),
      );
      await this.#define(client, signal);
      this.#say(
        `running ${shown(entry)}; changes below ${shown(watched) || '.'} start it again, Ctrl-C stops`,
      );
      program.start();
      stack.use(
        new SourceChanges(watched, (files) => {
          this.#turn = this.#turn.then(() => this.#changed(files, program, client, signal));
        }),
      );
      await new Promise<void>((resolve) => void onAbort(signal, resolve));
      await this.#turn;
    } catch (error) {
      if (!signal.aborted || !isCancelled(error)) throw error;
    }
    this.#say('stopping');
    return EXIT_OK;
  }

  async #connect(
    stack: Undo,
    signal: AbortSignal,
  ): Promise<{ readonly client: Client; readonly kubeconfig: string }> {
    const { terminal, dataDir, nodes, kubeconfig } = this.#options;
    if (kubeconfig !== undefined) {
      const client = createClient({ config: await loadConfig({ path: kubeconfig }) });
      stack.defer(() => client.close());
      return { client, kubeconfig };
    }
    this.#say('starting a cluster');
    const write = (line: string): void => terminal.err(line);
    const logger = createLogger(terminalWriter({ clock: realClock, write, color: terminal.isTty }), 'warn');
    const cluster = stack.use(
      await startCluster({
        dataDir,
        inMemory: true,
        port: 0,
        nodes,
        controllers: ['*'],
        logger,
        signal,
      }),
    );
    const page = stack.use(await openConsole(cluster, dataDir, logger));
    const path = cluster.kubeconfigPath ?? join(dataDir, 'kubeconfig');
    this.#say(`cluster at ${cluster.server}; kubectl --kubeconfig ${path}`);
    this.#say(`console at ${page.url}`);
    const client = createClient({ transport: cluster.transport() });
    stack.defer(() => client.close());
    return { client, kubeconfig: path };
  }

  async #changed(
    files: readonly string[],
    program: Program,
    client: Client,
    signal: AbortSignal,
  ): Promise<void> {
    if (signal.aborted) return;
    const [first = '', ...more] = files.map(this.#options.shown);
    this.#say(`${first}${more.length > 0 ? ` and ${more.length} more` : ''} changed`);
    try {
      await program.stop();
      await this.#define(client, signal);
      if (!signal.aborted) program.start();
    } catch (error) {
      if (signal.aborted) return;
      this.#say(
        `${error instanceof Error ? error.message : String(error)}\nnothing runs until the next change`,
      );
    }
  }

  async #define(client: Client, signal: AbortSignal): Promise<void> {
    const definitions = await this.#definitions(signal);
    if (definitions.length === 0) return;
    const names = await applyDefinitions(client, definitions, signal);
    this.#say(`applied ${names.join(', ')}`);
  }

  async #definitions(signal: AbortSignal): Promise<readonly CustomResourceDefinition[]> {
    const { operator, crds } = this.#options;
    if (operator !== undefined) return operatorDefinitions(operator, signal);
    return crds === undefined ? [] : definitionsInFiles([crds]);
  }

  #print({ runs, more }: RunsMessage): void {
    const { printsRuns, terminal } = this.#options;
    if (!printsRuns) return;
    if (more > 0) terminal.out(`… ${more} runs more than can be read\n`);
    for (const one of runs) terminal.out(`${runLines(one, timeOf).join('\n')}\n`);
  }

  #say(text: string): void {
    this.#options.terminal.out(`windlass: ${text}\n`);
  }
}

function timeOf(at: number): string {
  const date = new Date(at);
  const part = (value: number): string => String(value).padStart(2, '0');
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(part).join(':');
}
