import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FlowSchema, PriorityLevelConfiguration } from '@windlass/apimachinery/api/flowcontrol/v1';
import { FakeClock, MetricsRegistry } from '@windlass/base';
import { requestInfoOf } from '../request/request-info.ts';
import {
  MANDATORY_LEVELS,
  MANDATORY_SCHEMAS,
  SUGGESTED_LEVELS,
  SUGGESTED_SCHEMAS,
} from './configuration/default-objects.ts';
import { planConfiguration } from './configuration/plan-configuration.ts';
import { FlowRefusedError } from './errors.ts';
import { FlowControl } from './flow-control.ts';
import type { SeatTicket } from './seat-ticket.ts';

const VERSION = requestInfoOf({ method: 'GET', path: '/version' });
const user = (name: string, ...groups: string[]) => ({ name, groups: [...groups, 'system:authenticated'] });

/** A level of its own for alice and bob, with so many seats of ten. */
function own(queuing: object = { queues: 4, handSize: 1, queueLengthLimit: 2 }): {
  readonly levels: readonly PriorityLevelConfiguration[];
  readonly schemas: readonly FlowSchema[];
} {
  return {
    levels: [
      {
        metadata: { name: 'own', uid: 'level' },
        spec: {
          type: 'Limited',
          limited: {
            nominalConcurrencyShares: 5,
            borrowingLimitPercent: 0,
            lendablePercent: 0,
            limitResponse: { type: 'Queue', queuing },
          },
        },
      },
    ],
    schemas: [
      {
        metadata: { name: 'own', uid: 'schema' },
        spec: {
          priorityLevelConfiguration: { name: 'own' },
          matchingPrecedence: 500,
          distinguisherMethod: { type: 'ByUser' },
          rules: [
            {
              subjects: [
                { kind: 'User', user: { name: 'alice' } },
                { kind: 'User', user: { name: 'bob' } },
              ],
              nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
            },
          ],
        },
      },
    ],
  };
}

class Server {
  readonly clock = new FakeClock();
  readonly metrics = new MetricsRegistry();
  readonly control: FlowControl;

  /** 4 seats: 2 of them are the level's own, and 2 the catch-all's. */
  constructor({ levels, schemas } = own(), serverLimit = 4) {
    this.control = new FlowControl({
      clock: this.clock,
      metrics: this.metrics,
      serverLimit,
      statsOf: () => undefined,
    });
    this.control.configure(planConfiguration(levels, schemas));
  }

  ticket(name: string, query: Record<string, string> = {}): SeatTicket {
    const asked = { info: VERSION, user: user(name), query };
    return this.control.ticket(this.control.flowOf(asked), asked);
  }

  metric(line: string): string | undefined {
    const found = this.metrics
      .expose()
      .split('\n')
      .find((text) => text.startsWith(`apiserver_flowcontrol_${line} `));
    return found?.slice(found.lastIndexOf(' ') + 1);
  }
}

/** Takes both seats of the level. */
function fill(server: Server): SeatTicket[] {
  return ['alice', 'alice'].map((name) => {
    const ticket = server.ticket(name);
    assert.equal(ticket.take(undefined), undefined);
    return ticket;
  });
}

const OWN = '{flow_schema="own",priority_level="own"}';

describe('classification', () => {
  const control = new FlowControl({
    clock: new FakeClock(),
    metrics: new MetricsRegistry(),
    serverLimit: 600,
    statsOf: () => undefined,
  });
  control.configure(
    planConfiguration(
      [...MANDATORY_LEVELS, ...SUGGESTED_LEVELS],
      [...MANDATORY_SCHEMAS, ...SUGGESTED_SCHEMAS],
    ),
  );
  const account = 'system:serviceaccount:kube-system:job';
  const rows: readonly [string, string, string[], string, string][] = [
    ['GET /healthz', 'x', [], 'probes', 'exempt'],
    ['GET /livez/ping', 'x', [], 'probes', 'exempt'],
    ['GET /api/v1/pods', 'root', ['system:masters'], 'exempt', 'exempt'],
    ['GET /metrics', 'root', ['system:masters'], 'exempt', 'exempt'],
    ['PUT /api/v1/nodes/n/status', 'system:node:n', ['system:nodes'], 'system-node-high', 'node-high'],
    [
      'PUT /apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/n',
      'system:node:n',
      ['system:nodes'],
      'system-node-high',
      'node-high',
    ],
    ['GET /api/v1/namespaces/a/secrets/s', 'system:node:n', ['system:nodes'], 'system-nodes', 'system'],
    [
      'PUT /apis/coordination.k8s.io/v1/namespaces/kube-system/leases/x',
      'system:kube-scheduler',
      [],
      'system-leader-election',
      'leader-election',
    ],
    ['GET /api/v1/pods', 'system:kube-scheduler', [], 'kube-scheduler', 'workload-high'],
    ['GET /api/v1/pods', 'system:kube-controller-manager', [], 'kube-controller-manager', 'workload-high'],
    [
      'GET /api/v1/pods',
      account,
      ['system:serviceaccounts'],
      'kube-system-service-accounts',
      'workload-high',
    ],
    [
      'GET /api/v1/pods',
      'system:serviceaccount:a:b',
      ['system:serviceaccounts'],
      'service-accounts',
      'workload-low',
    ],
    ['GET /api/v1/pods', 'alice', [], 'global-default', 'global-default'],
    ['GET /version', 'alice', [], 'global-default', 'global-default'],
  ];
  for (const [asked, name, groups, schema, level] of rows)
    test(`${asked} of ${name} is ${schema} at ${level}`, () => {
      const [method = '', path = ''] = asked.split(' ');
      // The rows have methods only.
      const info = requestInfoOf({ method: method as 'GET', path });
      const flow = control.flowOf({ info, user: user(name, ...groups) });
      assert.deepEqual([flow.plan.name, flow.level.name], [schema, level]);
    });

  test('who is in no group at all is in the catch-all', () => {
    const flow = control.flowOf({ info: VERSION, user: { name: 'x', groups: [] } });
    assert.equal(flow.plan.name, 'catch-all');
  });
});

describe('a ticket', () => {
  test('gets its seats at once, and gives them back once', () => {
    const server = new Server();
    const ticket = server.ticket('alice');
    assert.equal(ticket.take(undefined), undefined);
    assert.equal(server.metric(`current_executing_requests${OWN}`), '1');
    const inflight = /^apiserver_current_inflight_requests\{request_kind="readOnly"\} (\d+)$/m;
    assert.equal(inflight.exec(server.metrics.expose())?.[1], '1');
    ticket.release();
    ticket.release();
    assert.equal(inflight.exec(server.metrics.expose())?.[1], '0');
    assert.equal(server.metric(`current_executing_requests${OWN}`), '0');
    assert.equal(server.metric(`current_executing_seats${OWN}`), '0');
    assert.equal(server.metric(`dispatched_requests_total${OWN}`), '1');
  });

  test('waits for its turn', async () => {
    const server = new Server();
    const [first] = fill(server);
    const turn = server.ticket('alice').take(undefined);
    assert.ok(turn instanceof Promise);
    assert.equal(server.metric(`current_inqueue_requests${OWN}`), '1');
    await server.clock.advance(100);
    first?.release();
    await turn;
    assert.equal(server.metric(`current_inqueue_requests${OWN}`), '0');
    assert.equal(
      server.metric(
        'request_wait_duration_seconds_sum{execute="true",flow_schema="own",priority_level="own"}',
      ),
      '0.1',
    );
    assert.equal(server.clock.pendingTimers, 0, 'nothing watches over it any more');
  });

  test('is refused when its queue is full', () => {
    const server = new Server();
    const tickets = Array.from({ length: 5 }, () => server.ticket('alice'));
    const turns = tickets.slice(0, 4).map((ticket) => ticket.take(undefined));
    assert.deepEqual(
      turns.map((turn) => turn === undefined),
      [true, true, false, false],
    );
    assert.throws(
      () => tickets[4]?.take(undefined),
      (error) => {
        assert.ok(error instanceof FlowRefusedError);
        assert.deepEqual(
          [error.statusCode, error.refusal, error.details?.retryAfterSeconds],
          [429, 'queue-full', 1],
        );
        return true;
      },
    );
    const rejected = 'rejected_requests_total{flow_schema="own",priority_level="own",reason="queue-full"}';
    assert.equal(server.metric(rejected), '1');
  });

  for (const [query, ms] of [
    [{}, 15_000],
    [{ timeout: '8s' }, 2000],
    [{ timeout: '10m' }, 15_000],
    [{ timeout: 'x' }, 15_000],
  ] as const)
    test(`with ${JSON.stringify(query)} waits ${ms} ms and no longer`, async () => {
      const server = new Server();
      fill(server);
      const ticket = server.ticket('alice', query);
      const refusals: unknown[] = [];
      ticket.take(undefined)?.catch((error: unknown) => refusals.push(error));
      await server.clock.advance(ms - 1);
      assert.equal(refusals.length, 0);
      await server.clock.advance(1);
      assert.ok(refusals[0] instanceof FlowRefusedError && refusals[0].refusal === 'time-out');
      assert.equal(server.metric(`current_inqueue_requests${OWN}`), '0');
      assert.equal(server.clock.pendingTimers, 0);
    });

  test('does not wait for a client that has gone', async () => {
    const server = new Server();
    fill(server);
    const gone = new AbortController();
    const turn = server.ticket('alice').take(gone.signal);
    gone.abort();
    await assert.rejects(turn ?? Promise.resolve(), FlowRefusedError);
    const late = server.ticket('alice').take(AbortSignal.abort());
    await assert.rejects(late ?? Promise.resolve(), FlowRefusedError);
    assert.equal(server.metric(`current_inqueue_requests${OWN}`), '0');
    assert.equal(server.clock.pendingTimers, 0);
  });

  test('yields its seats while its client is slow, and is one request all the same', async () => {
    const server = new Server();
    const slow = server.ticket('alice');
    assert.equal(slow.take(undefined), undefined);
    await server.clock.advance(1000);
    slow.yield();
    assert.equal(server.metric(`current_executing_seats${OWN}`), '0');
    await server.clock.advance(9000);
    assert.equal(slow.take(undefined), undefined);
    await server.clock.advance(1000);
    slow.release();
    assert.equal(server.metric(`dispatched_requests_total${OWN}`), '1');
    assert.equal(
      server.metric('request_execution_seconds_sum{flow_schema="own",priority_level="own",type="regular"}'),
      '2',
    );
  });

  test('that is released while it waits leaves its queue', () => {
    const server = new Server();
    fill(server);
    const waiting = server.ticket('alice');
    waiting.take(undefined)?.catch(() => {});
    waiting.release();
    assert.equal(server.metric(`current_inqueue_requests${OWN}`), '0');
  });
});

describe('a new configuration', () => {
  test('takes effect for the next request, and levels that are gone serve those they have', async () => {
    const server = new Server();
    const tickets = Array.from({ length: 3 }, () => server.ticket('alice'));
    const [, , turn] = tickets.map((ticket) => ticket.take(undefined));
    server.control.configure(planConfiguration([], []));
    const left = server.control.levels.find(({ name }) => name === 'own');
    assert.deepEqual([left?.isQuiescing, left?.queues.executing], [true, 2]);
    assert.equal(server.ticket('alice').flow.plan.name, 'catch-all');
    tickets[0]?.release();
    await turn;
    assert.equal(server.control.hasIdleRest, false);
    for (const ticket of tickets) ticket.release();
    assert.equal(server.control.hasIdleRest, true);
    server.control.configure(planConfiguration([], []));
    assert.deepEqual(
      server.control.levels.map(({ name }) => name),
      ['catch-all', 'exempt'],
    );
  });

  test('leaves no series of what is gone', () => {
    const server = new Server();
    server
      .ticket('alice')
      .take(undefined)
      ?.catch(() => {});
    assert.equal(server.metric('nominal_limit_seats{priority_level="own"}'), '2');
    server.control.configure(planConfiguration([], []));
    assert.doesNotMatch(server.metrics.expose(), /flow_schema="own"/);
    server.control.configure(planConfiguration([], []));
    const { levels, schemas } = own();
    server.control.configure(planConfiguration(levels, schemas));
    assert.equal(server.metric(`dispatched_requests_total${OWN}`), '0');
  });

  test('gives seats of idle levels to busy ones when limits are adjusted', async () => {
    const control = new FlowControl({
      clock: new FakeClock(),
      metrics: new MetricsRegistry(),
      serverLimit: 600,
      statsOf: () => undefined,
    });
    control.configure(
      planConfiguration(
        [...MANDATORY_LEVELS, ...SUGGESTED_LEVELS],
        [...MANDATORY_SCHEMAS, ...SUGGESTED_SCHEMAS],
      ),
    );
    const limitOf = (name: string): number =>
      control.levels.find((level) => level.name === name)?.currentLimit ?? -1;
    assert.deepEqual([limitOf('global-default'), limitOf('workload-low')], [56, 56]);
    for (let at = 0; at < 300; at++) {
      const asked = { info: VERSION, user: user(`user-${at}`), query: {} };
      void control.ticket(control.flowOf(asked), asked).take(undefined);
    }
    control.adjustLimits();
    assert.ok(limitOf('global-default') > 56 && limitOf('workload-low') < 56);
    const sum = control.levels.reduce((total, level) => total + level.currentLimit, 0);
    assert.ok(Math.abs(sum - 602) <= 4, `${sum} seats in all`);
  });
});

describe('the mandatory configuration', () => {
  test('lets administrators in whatever the limits are', () => {
    const server = new Server({ levels: [], schemas: [] }, 1);
    for (let at = 0; at < 100; at++) {
      const asked = { info: VERSION, user: user('root', 'system:masters'), query: {} };
      assert.equal(server.control.ticket(server.control.flowOf(asked), asked).take(undefined), undefined);
    }
    assert.equal(server.ticket('alice').take(undefined), undefined);
    assert.throws(() => server.ticket('alice').take(undefined), { refusal: 'concurrency-limit' });
  });
});
