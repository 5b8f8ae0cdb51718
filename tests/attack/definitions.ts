import { realClock, sleep } from '@windlass/base';
import type { Stage } from './attack.ts';
import { make } from './people.ts';

export const GROUP = 'attack.windlass.dev';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const POLL_MS = 20;

/** An administrator defines a kind with this schema of its spec. Resolves when it is served. */
export async function define(
  stage: Stage,
  plural: string,
  spec: unknown,
  signal: AbortSignal,
): Promise<string> {
  const caller = stage.caller(stage.people.admin);
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  await make(caller, DEFINITIONS, {
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural, kind: kindOf(plural) },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  const path = `/apis/${GROUP}/v1/namespaces/attack/${plural}`;
  while (!signal.aborted && (await caller.ask({ path })).status !== 200) await sleep(realClock, POLL_MS);
  return path;
}

/** With all objects of it. */
export async function undefine(stage: Stage, plural: string): Promise<void> {
  await stage.caller(stage.people.admin).ask({ method: 'DELETE', path: `${DEFINITIONS}/${plural}.${GROUP}` });
}

export function kindOf(plural: string): string {
  return plural.charAt(0).toUpperCase() + plural.slice(1);
}
