import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { KeyPair } from '@windlass/base';
import type { ProgramNeeds } from '../simulation.ts';
import { type Command, parseCommand } from './command.ts';
import { fillPlaces, type Places, portsFor } from './places.ts';

const OWNER_ONLY = 0o600;
/** The name of the port of webhooks, and of the folder with their certificate. */
const WEBHOOKS = 'webhooks';

/** How a program reaches the API server. */
export interface Access {
  readonly server: string;
  /** PEM. */
  readonly authority: string;
  readonly token: string;
}

/** What is put into the folder of a program. */
export interface FolderOptions {
  readonly line: string;
  readonly access: Access;
  readonly needs: ProgramNeeds;
  /** What it shows to whom asks its webhooks. */
  readonly certificate: KeyPair;
}

/** A folder for one run of a program: its kubeconfig, the files that it needs, and whatever it writes there. */
export class ProgramFolder implements AsyncDisposable {
  readonly #line: string;
  readonly #places: Places;

  private constructor(line: string, places: Places) {
    this.#line = line;
    this.#places = places;
  }

  static async make({ line, access, needs, certificate }: FolderOptions): Promise<ProgramFolder> {
    const { files = {}, webhooks = [] } = needs;
    const folder = await mkdtemp(join(tmpdir(), 'windlass-sim-'));
    const kubeconfig = join(folder, 'kubeconfig');
    const names = webhooks.length > 0 ? [WEBHOOKS] : [];
    const ports = await portsFor([line, ...Object.values(files)], names);
    const places = { folder, kubeconfig, ports };
    const texts: [path: string, text: string][] = [
      [kubeconfig, kubeconfigText(access)],
      [join(folder, WEBHOOKS, 'tls.crt'), certificate.cert],
      [join(folder, WEBHOOKS, 'tls.key'), certificate.key],
      ...Object.entries(files).map(([name, text]): [string, string] => [
        join(folder, name),
        fillPlaces(text, places),
      ]),
    ];
    for (const [path, text] of texts) {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text, { mode: OWNER_ONLY });
    }
    return new ProgramFolder(line, places);
  }

  get kubeconfig(): string {
    return this.#places.kubeconfig;
  }

  /** Where it answers its webhooks; undefined when it has none. */
  get webhookPort(): number | undefined {
    return this.#places.ports.get(WEBHOOKS);
  }

  /** The command as it is started, with the kubeconfig in its environment. */
  get program(): { readonly command: Command; readonly env: NodeJS.ProcessEnv } {
    return {
      command: parseCommand(this.#line, this.#places),
      env: { ...process.env, KUBECONFIG: this.kubeconfig },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#places.folder, { recursive: true, force: true });
  }
}

/** JSON is YAML too. */
export function kubeconfigText({ server, authority, token }: Access): string {
  const name = 'simulation';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') },
      },
    ],
    users: [{ name: 'exec', user: { token } }],
    contexts: [{ name, context: { cluster: name, user: 'exec' } }],
    'current-context': name,
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
