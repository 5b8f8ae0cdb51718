import { type Clock, orAbort } from '@windlass/base';
import type { ClientConfig, ExecConfig, PemSource } from '../config.ts';
import { CredentialError } from '../errors.ts';
import { reveal } from '../secret.ts';
import type { Credential, Credentials } from './credentials.ts';
import { execInfo, parseExecOutput } from './exec-protocol.ts';
import { runPlugin } from './run-plugin.ts';

/** What of this process a plugin sees. */
export interface PluginEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether somebody sits at the standard input. Asked only when a plugin may talk to them. */
  readonly isTerminal: () => Promise<boolean>;
}

/**
 * Credentials that a plugin prints. Kept until the expiry that they name, or without one until the
 * server refuses them. However many requests wait for them, the plugin runs once.
 */
export class ExecCredentials implements Credentials {
  readonly #exec: ExecConfig;
  readonly #config: ClientConfig;
  readonly #clock: Clock;
  readonly #plugin: PluginEnvironment;
  #credential: Credential | undefined;
  #expiresAt = Number.POSITIVE_INFINITY;
  #running: Promise<Credential> | undefined;

  constructor(exec: ExecConfig, config: ClientConfig, clock: Clock, plugin: PluginEnvironment) {
    this.#exec = exec;
    this.#config = config;
    this.#clock = clock;
    this.#plugin = plugin;
  }

  current(signal?: AbortSignal): Credential | Promise<Credential> {
    if (this.#credential !== undefined && this.#clock.now() < this.#expiresAt) return this.#credential;
    return this.#fetch(signal);
  }

  async refresh(rejected: Credential, signal?: AbortSignal): Promise<boolean> {
    if (rejected === this.#credential) await this.#fetch(signal);
    return true;
  }

  #fetch(signal: AbortSignal | undefined): Promise<Credential> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
    });
    // One caller's abort must not take the credentials from the others that wait.
    return orAbort(this.#running, signal);
  }

  async #run(): Promise<Credential> {
    const { command, args = [], env = {}, interactiveMode = 'IfAvailable', installHint } = this.#exec;
    const interactive = interactiveMode !== 'Never' && (await this.#plugin.isTerminal());
    if (interactiveMode === 'Always' && !interactive) {
      throw new CredentialError(
        `the credential plugin ${command} must ask somebody, but standard input is no terminal`,
        { code: 'EXEC_NOT_INTERACTIVE' },
      );
    }
    const ca = this.#exec.provideClusterInfo === true ? await readPem(this.#config.tls?.ca) : undefined;
    const output = await runPlugin({
      command,
      args: args.map(reveal),
      env: {
        ...this.#plugin.env,
        ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, reveal(value)])),
        KUBERNETES_EXEC_INFO: execInfo(this.#exec, this.#config, ca, interactive),
      },
      interactive,
      ...(installHint === undefined ? {} : { installHint }),
    });
    const { token, cert, key, expiresAt } = parseExecOutput(this.#exec, output);
    this.#expiresAt = expiresAt ?? Number.POSITIVE_INFINITY;
    this.#credential = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(cert === undefined || key === undefined ? {} : { cert, key }),
    };
    return this.#credential;
  }
}

async function readPem(source: PemSource | undefined): Promise<string | undefined> {
  if (source === undefined) return undefined;
  if ('data' in source) return reveal(source.data);
  const { readFile } = await import('node:fs/promises');
  return readFile(source.file, 'utf8');
}
