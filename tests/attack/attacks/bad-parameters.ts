import { Malformer } from '../../fuzz/malformed.ts';
import type { Attack } from '../attack.ts';
import { ATTACK_NAMESPACE } from '../people.ts';
import { swarm } from '../swarm.ts';

const MAPS = `/api/v1/namespaces/${ATTACK_NAMESPACE}/configmaps`;
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  'valueOf',
  '__defineGetter__',
];
const NUMBERS = [
  '-1',
  '0',
  '1e9',
  '99999999999999999999',
  '-99999999999999999999',
  '1.5',
  'NaN',
  '+1',
  '0x10',
  ' 1',
  '',
];
const NUMERIC = ['limit', 'timeoutSeconds', 'resourceVersion', 'gracePeriodSeconds', 'continue'];
const PATHS = [
  '/api/v1/namespaces/attack/configmaps/%2e%2e/secrets',
  '/api/v1/namespaces/attack/configmaps/..%2fsecrets',
  '/api/v1/namespaces/attack%2fconfigmaps/a',
  '/api/v1/namespaces//configmaps',
  '/api/v1//namespaces/attack/configmaps',
  '/api/v1/namespaces/attack/configmaps/%00',
  '/api/v1/namespaces/attack/configmaps/%ff%fe',
  '/api/v1/namespaces/attack/configmaps/%',
  '/api/v1/namespaces/attack/configmaps/%E0%A4%A',
  '/api/v1/namespaces/attack/configmaps/a/b/c/d/e',
  '/api/v1/watch',
  '/api/v1/watch/watch/watch',
  '/api/v1/proxy/nodes/node-1',
  '/api/v1/namespaces/attack/pods/a/proxy/http:x:1/../../secrets',
  `/${'a/'.repeat(7000)}`,
  '/apis/attack.windlass.dev/v1/namespaces/attack/__proto__',
  '/api/v1/namespaces/attack/configmaps?watch=true&watch=false&limit=-1&limit=2',
  '*',
];

/** What the query, the path and the body say that no client would, and names that mean something to JavaScript. */
export const badParameters: Attack = {
  name: 'bad-parameters',
  summary:
    'sends bad numbers, malformed paths and escapes, names such as __proto__, and 500 to 10,000 random requests',
  async start(stage, signal) {
    const { admin, writer, powerless } = stage.people;
    const caller = stage.caller(writer);
    const found: string[] = [];
    const paths = [
      ...PATHS,
      ...NUMERIC.flatMap((name) => NUMBERS.map((value) => `${MAPS}?${name}=${encodeURIComponent(value)}`)),
      ...NUMBERS.map((value) => `${MAPS}?watch=true&timeoutSeconds=1&limit=${encodeURIComponent(value)}`),
      ...NAMES.flatMap((name) => [
        `/api/v1/${name}`,
        `/apis/${name}/v1`,
        `${MAPS}/${name}`,
        `${MAPS}?${name}=1`,
      ]),
    ];
    await swarm(paths.length, 8, signal, async (index) => {
      const path = paths[index] ?? '/';
      const { status, text } = await caller.ask({ path, timeoutMs: 5000, signal });
      if (status >= 400 && !/Status|page not found/.test(text))
        found.push(`GET ${path.slice(0, 100)} answered ${status} without a Status: ${text.slice(0, 100)}`);
    });
    for (const name of NAMES) {
      const body = `{"metadata":{"name":"a","labels":{"${name}":"x"},"${name}":{"polluted":"yes"}},"${name}":{"polluted":"yes"},"data":{"${name}":"x"}}`;
      await caller.ask({ method: 'POST', path: MAPS, body });
      const merge = { 'content-type': 'application/merge-patch+json' };
      await caller.ask({ method: 'PATCH', path: `${MAPS}/a`, headers: merge, body });
      const { text } = await caller.ask({ path: `${MAPS}/a` });
      if (/"polluted"/.test(text)) found.push(`an object with ${name} kept a field that its kind has not`);
      await caller.ask({ method: 'DELETE', path: `${MAPS}/a` });
    }
    const malformer = new Malformer(stage.random.int(2 ** 31));
    const senders = [admin, writer, powerless].map((identity) => stage.caller(identity));
    await swarm(stage.size(500, 10_000), 20, signal, async (index) => {
      const { method, path, headers, body } = malformer.request();
      // The writer's namespace, so that more is past authorization; and a watch would have no end.
      const own = path.replace('/namespaces/default/', `/namespaces/${ATTACK_NAMESPACE}/`);
      const bounded = own.includes('?') ? `${own}&timeoutSeconds=1` : own;
      // An administrator's DELETE of a collection is no attack: it would take everybody's roles away.
      const sender = method === 'DELETE' ? caller : senders[index % senders.length];
      await sender?.ask({
        method,
        path: bounded,
        headers,
        ...(body !== undefined && { body }),
        timeoutMs: 5000,
        signal,
      });
    });
    return found;
  },
};
