import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Command, parseCommand } from './command.ts';

const OWNER_ONLY = 0o600;

/** How a program reaches the API server. */
export interface Access {
  readonly server: string;
  /** PEM. */
  readonly authority: string;
  readonly token: string;
}

/** A folder for one run of a program: its kubeconfig, and whatever it writes there. */
export class ProgramFolder implements AsyncDisposable {
  readonly path: string;
  readonly kubeconfig: string;

  private constructor(path: string) {
    this.path = path;
    this.kubeconfig = join(path, 'kubeconfig');
  }

  static async make(access: Access): Promise<ProgramFolder> {
    const folder = new ProgramFolder(await mkdtemp(join(tmpdir(), 'windlass-sim-')));
    await writeFile(folder.kubeconfig, kubeconfigText(access), { mode: OWNER_ONLY });
    return folder;
  }

  /** The command as it is started, with the kubeconfig in its environment. */
  programOf(line: string): { readonly command: Command; readonly env: NodeJS.ProcessEnv } {
    return {
      command: parseCommand(line, this.kubeconfig),
      env: { ...process.env, KUBECONFIG: this.kubeconfig },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
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
