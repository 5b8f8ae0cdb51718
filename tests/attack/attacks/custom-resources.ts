import { ANSWER_WITHIN_MS, type Attack } from '../attack.ts';
import type { Ask } from '../caller.ts';
import { define, GROUP, kindOf, undefine } from '../definitions.ts';

const LIST_MAP = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['id', 'port'],
  items: {
    type: 'object',
    required: ['id', 'port'],
    properties: {
      id: { type: 'string' },
      port: { type: 'integer' },
      value: { type: 'string', pattern: '^[a-z0-9]*$' },
    },
  },
};
const LIST_SET = { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } };
const SPEC = {
  type: 'object',
  properties: {
    items: LIST_MAP,
    names: LIST_SET,
    map: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

/** Custom resources with very long lists: what an update compares must not grow with the square of them. */
export const customResources: Attack = {
  name: 'custom-resources',
  summary: 'creates, updates, patches and applies custom resources with lists of 20,000 items',
  async start(stage, signal) {
    // A new name each time: the definition of an earlier run may still be going.
    const plural = `maps${stage.random.int(2 ** 31)}`;
    const collection = await define(stage, plural, SPEC, signal);
    const caller = stage.caller(stage.people.writer);
    const count = stage.size(8000, 20_000);
    const items = (value: string) =>
      Array.from({ length: count }, (_, at) => ({ id: `item-${at}`, port: at % 7, value }));
    const names = Array.from({ length: count }, (_, at) => `name-${at}`);
    let resourceVersion = '';
    const object = (value: string) => ({
      apiVersion: `${GROUP}/v1`,
      kind: kindOf(plural),
      metadata: { name: 'long', ...(resourceVersion !== '' && { resourceVersion }) },
      spec: { items: items(value), names, map: Object.fromEntries(names.map((name) => [name, value])) },
    });
    const path = `${collection}/long`;
    const patch = (type: string, body: unknown): Ask => ({
      method: 'PATCH',
      path: `${path}?fieldManager=attack${type.startsWith('apply') ? '&force=true' : ''}`,
      headers: { 'content-type': `application/${type}` },
      body,
    });
    const found: string[] = [];
    const told = async (what: string, ask: Ask): Promise<void> => {
      if (signal.aborted) return;
      const answer = await caller.ask({ ...ask, timeoutMs: 60_000 });
      if (answer.status === 0 || answer.status >= 400)
        found.push(
          `${what} of ${count} items answered ${answer.status || 'nothing'}: ${answer.text.slice(0, 100)}`,
        );
      if (answer.ms > ANSWER_WITHIN_MS)
        found.push(`${what} of ${count} items took ${answer.ms.toFixed(0)} ms`);
      resourceVersion = /"resourceVersion": *"(\d+)"/.exec(answer.text)?.[1] ?? '';
    };
    await told('a create', { method: 'POST', path: collection, body: object('a') });
    await told('an update', { method: 'PUT', path, body: object('b') });
    await told('a reversed update', {
      method: 'PUT',
      path,
      body: { ...object('b'), spec: { items: items('b').reverse() } },
    });
    await told('a merge patch', patch('merge-patch+json', { spec: { items: items('c') } }));
    await told('an apply', patch('apply-patch+yaml', object('c')));
    await told('a delete', { method: 'DELETE', path });
    await undefine(stage, plural);
    return found;
  },
};
