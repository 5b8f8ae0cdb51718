import { isConditionTrue } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { realClock, sleep } from '@windlass/base';
import type { Client } from '@windlass/client';

const LOOK_EVERY_MS = 20;

/** Applies definitions and waits until the server serves them. Resolves with their names. */
export async function applyDefinitions(
  client: Client,
  definitions: readonly CustomResourceDefinition[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const served = client.resource(CustomResourceDefinition);
  const names: string[] = [];
  for (const { apiVersion = 'apiextensions.k8s.io/v1', metadata, spec } of definitions) {
    const name = metadata?.name ?? '';
    await served.apply(
      { apiVersion, kind: 'CustomResourceDefinition', metadata: { ...metadata, name }, spec },
      { fieldManager: 'windlass-dev', force: true, signal },
    );
    names.push(name);
  }
  for (const name of names)
    while (!isConditionTrue((await served.get(name, { signal })).status?.conditions ?? [], 'Established'))
      await sleep(realClock, LOOK_EVERY_MS, signal);
  return names;
}
