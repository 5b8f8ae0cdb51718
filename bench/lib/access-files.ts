import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeYaml } from '@windlass/apimachinery';

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: Readonly<Record<string, string>> }];
  readonly users: readonly [{ readonly user: Readonly<Record<string, string>> }];
}

/** How a program that knows no kubeconfig reaches a server: the address, and files of PEM. */
export interface AccessFiles extends AsyncDisposable {
  readonly server: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Those of the first cluster and the first user of a kubeconfig. */
export async function accessFiles(kubeconfigPath: string): Promise<AccessFiles> {
  // The benchmark has written it, or had it written.
  const { value } = decodeYaml(await readFile(kubeconfigPath, 'utf8'));
  const { clusters, users } = value as unknown as Kubeconfig;
  const { cluster } = clusters[0];
  const { user } = users[0];
  const folder = await mkdtemp(join(tmpdir(), 'windlass-access-'));
  const put = async (name: string, entry: Readonly<Record<string, string>>, key: string): Promise<string> => {
    const inline = entry[`${key}-data`];
    const pem = inline === undefined ? await readFile(entry[key] ?? '') : Buffer.from(inline, 'base64');
    const file = join(folder, name);
    await writeFile(file, pem, { mode: 0o600 });
    return file;
  };
  return {
    server: cluster['server'] ?? '',
    ca: await put('ca.pem', cluster, 'certificate-authority'),
    cert: await put('client.pem', user, 'client-certificate'),
    key: await put('client-key.pem', user, 'client-key'),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
