import type { NodeContext } from '../../node-service/node-context.ts';

/** Lifts the limit of a directory of a drive that is about to go. One without a project has none. */
export async function clearQuota(
  { os, layout }: NodeContext,
  fsuuid: string,
  directory: string,
  signal: AbortSignal,
): Promise<void> {
  const mountPath = layout.mountPath(fsuuid);
  const projectId = (await os.projects(mountPath, { signal })).get(directory);
  if (projectId !== undefined) await os.clearQuota({ mountPath, projectId }, { signal });
}
