import { stat } from 'node:fs/promises';
import { type Environment, userKubeconfigs } from './user-folders.ts';

/** The kubeconfig that kubectl would write a new cluster into: of those that KUBECONFIG lists the first that is there. */
export async function kubeconfigToMergeInto(env: Environment = process.env): Promise<string> {
  const files = userKubeconfigs(env);
  for (const file of files) if ((await stat(file).catch(() => undefined)) !== undefined) return file;
  return files.at(-1) ?? '';
}
