import { type Clock, type Logger } from '@windlass/base';
import type { AuthConfig, ClientConfig } from '../config.ts';
import { reveal } from '../secret.ts';
import { ExecCredentials, type PluginEnvironment } from './exec-credentials.ts';
import { RotatingFile } from './rotating-file.ts';

/** What one request carries to say who sends it. The same object for as long as it is the same. */
export interface Credential {
  /** The value of the Authorization header. */
  readonly authorization?: string;
  /** A client certificate that came with the credentials, in PEM. */
  readonly cert?: string;
  readonly key?: string;
}

/** Who we are, kept fresh. */
export interface Credentials {
  /** Not a promise when nothing has to be fetched, so that the usual request waits for nothing. */
  current(signal?: AbortSignal): Credential | Promise<Credential>;
  /**
   * The server answered 401 to `rejected`. Fetches anew unless that has been done meanwhile.
   * @returns whether there is something else to try
   */
  refresh(rejected: Credential, signal?: AbortSignal): Promise<boolean>;
}

export interface CredentialsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly plugin: PluginEnvironment;
}

export function createCredentials(config: ClientConfig, options: CredentialsOptions): Credentials {
  const { auth } = config;
  if (auth === undefined) return fixed({});
  switch (auth.type) {
    case 'token':
      return fixed({ authorization: bearer(reveal(auth.token)) });
    case 'basic':
      return fixed({ authorization: basic(auth) });
    case 'tokenFile':
      return new TokenFileCredentials(new RotatingFile(auth.file, options));
    case 'exec':
      return new ExecCredentials(auth.exec, config, options.clock, options.plugin);
    default:
      return auth satisfies never;
  }
}

/** Credentials that never change: a refusal is final. */
function fixed(credential: Credential): Credentials {
  return { current: () => credential, refresh: () => Promise.resolve(false) };
}

class TokenFileCredentials implements Credentials {
  readonly #file: RotatingFile;
  #text: string | undefined;
  #credential: Credential = {};

  constructor(file: RotatingFile) {
    this.#file = file;
  }

  current(): Credential | Promise<Credential> {
    const text = this.#file.read();
    return typeof text === 'string' ? this.#from(text) : text.then((fresh) => this.#from(fresh));
  }

  async refresh(rejected: Credential): Promise<boolean> {
    if (rejected !== this.#credential) return true;
    return this.#from(await this.#file.reread()) !== rejected;
  }

  #from(text: string): Credential {
    if (text !== this.#text) {
      this.#text = text;
      this.#credential = { authorization: bearer(text.trim()) };
    }
    return this.#credential;
  }
}

function bearer(token: string): string {
  return `Bearer ${token}`;
}

function basic(auth: Extract<AuthConfig, { type: 'basic' }>): string {
  return `Basic ${Buffer.from(`${auth.username}:${reveal(auth.password)}`).toString('base64')}`;
}
