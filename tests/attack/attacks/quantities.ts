import { realClock } from '@windlass/base';
import type { Attack, Stage } from '../attack.ts';
import { ATTACK_NAMESPACE, NODE_NAME } from '../people.ts';
import { hold } from '../swarm.ts';

const PODS = `/api/v1/namespaces/${ATTACK_NAMESPACE}/pods`;
const RUNNING_WITHIN_MS = 10_000;

/** Amounts that are text of some bytes and numbers of a billion digits, and their like. */
const AMOUNTS: readonly unknown[] = [
  '1e1000000000',
  '1e-1000000000',
  '1E999999999',
  '-1e1000000000',
  `1e${'9'.repeat(1000)}`,
  '9'.repeat(100_000),
  `0.${'0'.repeat(100_000)}1`,
  `${'0'.repeat(100_000)}1`,
  '1e308',
  '1e2147483647',
  '1e2147483648',
  '1e-2147483648',
  '9223372036854775807',
  '9223372036854775808Ei',
  '0x10',
  '٣',
  '+-1',
  '1e',
  '.',
  'Infinity',
  'NaN',
  1e308,
  -1,
];

/** The node of a pod with such an amount must go on working. */
export const quantities: Attack = {
  name: 'quantities',
  summary: 'asks for 1e1000000000 CPUs and the like on a node, in limits, quotas and claims',
  async start(stage, signal) {
    const caller = stage.caller(stage.people.writer);
    for (const [index, amount] of AMOUNTS.entries()) {
      if (signal.aborted) break;
      const resources = { requests: { cpu: amount, memory: amount }, limits: { cpu: amount } };
      await caller.ask({ method: 'POST', path: PODS, body: pod(`amount-${index}`, { resources }) });
      await caller.ask({
        method: 'POST',
        path: `/api/v1/namespaces/${ATTACK_NAMESPACE}/persistentvolumeclaims`,
        body: {
          metadata: { name: `amount-${index}` },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: amount } } },
        },
      });
      await caller.ask({
        method: 'POST',
        path: `/api/v1/namespaces/${ATTACK_NAMESPACE}/limitranges`,
        body: {
          metadata: { name: `amount-${index}` },
          spec: { limits: [{ type: 'Container', maxLimitRequestRatio: { cpu: amount } }] },
        },
      });
      await caller.ask({ method: 'DELETE', path: `/api/v1/namespaces/${ATTACK_NAMESPACE}/limitranges` });
    }
    return [...(await nodeStillWorks(stage)), ...(await cleanUp(stage, signal))];
  },
};

function pod(name: string, container: object): object {
  return {
    metadata: { name },
    spec: { nodeName: NODE_NAME, containers: [{ name: 'main', image: 'busybox', ...container }] },
  };
}

/** A plain pod on the same node comes to run. The signal is not heeded: this is the question of the attack. */
async function nodeStillWorks(stage: Stage): Promise<string[]> {
  const caller = stage.caller(stage.people.writer);
  const { status, text } = await caller.ask({ method: 'POST', path: PODS, body: pod('plain', {}) });
  if (status !== 201) return [`a plain pod could not be created afterwards: ${status} ${text.slice(0, 200)}`];
  const deadline = realClock.monotonic() + RUNNING_WITHIN_MS;
  const never = new AbortController().signal;
  while (realClock.monotonic() < deadline) {
    const answer = await caller.ask({ path: `${PODS}/plain` });
    if (/"phase": *"Running"/.test(answer.text)) return [];
    await hold(100, never);
  }
  return [
    `a plain pod on ${NODE_NAME} did not run within ${RUNNING_WITHIN_MS / 1000} s after such pods were there`,
  ];
}

async function cleanUp(stage: Stage, signal: AbortSignal): Promise<string[]> {
  const caller = stage.caller(stage.people.admin);
  for (const plural of ['pods', 'persistentvolumeclaims']) {
    const path = `/api/v1/namespaces/${ATTACK_NAMESPACE}/${plural}?gracePeriodSeconds=0`;
    const { status } = await caller.ask({ method: 'DELETE', path });
    if (status !== 200 && !signal.aborted)
      return [`${plural} with such amounts could not be deleted: ${status}`];
  }
  return [];
}
