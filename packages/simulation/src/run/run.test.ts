import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import type { Fault } from '../plan/fault.ts';
import type { SimulationOptions } from '../simulation.ts';
import { copier } from '../testing/copier.ts';
import { Explorer } from './explorer.ts';
import type { Outcome } from './outcome.ts';
import { run } from './run.ts';

const SEEDS = [1, 2, 3, 4];

describe('the same seed', () => {
  it('gives the same journal, byte for byte, in this process and in another', async () => {
    const explorer = new Explorer(copier());
    const digests: string[] = [];
    for (const seed of SEEDS) {
      const first = await explorer.run(seed, { journalled: true });
      const second = await explorer.run(seed, { journalled: true });
      assert.equal(second.journal, first.journal);
      assert.ok(first.journal.length > 1000);
      digests.push(first.digest);
    }
    assert.equal(new Set(digests).size, SEEDS.length, 'seeds differ');
    const script = fileURLToPath(new URL('../testing/print-digests.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...SEEDS.map(String)]);
    assert.deepEqual(stdout.trim().split('\n'), digests);
  });
});

/** Runs the copier with one fault, and says what happened in it. */
async function withFault(
  fault: Fault,
  options: Partial<SimulationOptions> = {},
): Promise<Outcome & { readonly lines: string[] }> {
  const outcome = await run({ ...copier(), ...options }, { seed: 1, plan: [fault], traced: true });
  const lines = outcome.trace.map(
    ({ type, process, text, request, entry }) =>
      `${type} ${process} ${text} ${request === undefined ? '' : `${request.method} ${request.path}`}${entry?.key ?? ''}`,
  );
  return { ...outcome, lines };
}

describe('faults', () => {
  const process = 'copier';
  const rows: readonly (readonly [string, Fault, RegExp])[] = [
    [
      'a request that is lost',
      { kind: 'request', process, write: 1, answer: 'lost' },
      /^fault copier lost PATCH/,
    ],
    [
      'an answer that is lost',
      { kind: 'request', process, write: 1, answer: 'answer lost' },
      /^write copier create/,
    ],
    ['a conflict', { kind: 'request', process, write: 2, answer: 'conflict' }, /^fault copier conflict/],
    [
      'too many requests',
      { kind: 'request', process, write: 1, answer: 'too many requests', times: 3 },
      /^fault copier too many/,
    ],
    ['a timeout', { kind: 'request', process, write: 1, answer: 'timeout' }, /^fault copier timeout/],
    [
      'a server that is away',
      { kind: 'server', when: 10, downMs: 5000, compacts: true },
      /^fault server the API server is away/,
    ],
    [
      'a process that is killed',
      { kind: 'kill', process, when: { write: 1, by: process }, downMs: 500 },
      /^fault copier copier is killed/,
    ],
    [
      'a process that stands still',
      { kind: 'freeze', process, when: 5, forMs: 20_000 },
      /^fault copier copier stands still/,
    ],
    [
      'a partition',
      { kind: 'partition', process, when: 5, forMs: 20_000 },
      /^fault copier copier cannot reach/,
    ],
    [
      'slowness',
      { kind: 'latency', process, when: 5, forMs: 20_000, addMs: 300 },
      /^fault copier copier is 300 ms slower/,
    ],
    [
      'a clock that is wrong',
      { kind: 'clock', process, when: 5, byMs: -86_400_000 },
      /^fault copier the clock/,
    ],
    ['watches that break', { kind: 'watch', process, when: 5, effect: 'drop' }, /^fault copier watches/],
    [
      'watches that are held',
      { kind: 'watch', process, when: 5, effect: 'hold', forMs: 9000 },
      /^fault copier watches/,
    ],
    ['a forgotten past', { kind: 'watch', process, when: 5, effect: 'compact' }, /^fault copier watches/],
    [
      'a gap',
      { kind: 'watch', process, when: 5, effect: 'gap', forMs: 3000, resource: 'configmaps' },
      /^fault copier watches of configmaps/,
    ],
  ];
  for (const [name, fault, line] of rows)
    it(`${name} happens, and a sound program comes through`, async () => {
      const { failure, lines } = await withFault(fault);
      assert.equal(failure?.message, undefined);
      assert.ok(
        lines.some((text) => line.test(text)),
        lines.join('\n'),
      );
    });

  it('that cannot be are refused before anything runs', async () => {
    await assert.rejects(withFault({ kind: 'kill', process: 'nobody', when: 1, downMs: 1 }), {
      message: 'plan[0].process must be one of "controllers", "copier", but it is "nobody" (string)',
    });
  });
});

describe('oracles', () => {
  const oracleOf = async (options: Partial<SimulationOptions>): Promise<string> => {
    const { failure } = await new Explorer({ ...copier(), ...options }).run(1, { plan: [] });
    return failure === undefined ? 'fine' : `${failure.oracle} ${failure.name ?? ''}: ${failure.message}`;
  };

  it('an invariant of the user, always or at rest, with its words', async () => {
    const invariants = {
      'no copies': {
        always: async (state) => ((await state.list(ConfigMap)).length > 3 ? 'too many maps' : undefined),
      },
    } satisfies SimulationOptions['invariants'];
    assert.equal(await oracleOf({ invariants }), 'invariant no copies: too many maps');
    assert.equal(
      await oracleOf({
        invariants: {
          broken: () => {
            throw new TypeError('x is not a function');
          },
        },
      }),
      'invariant broken: the invariant itself threw TypeError: x is not a function',
    );
  });

  it('a program that cannot be set up, and a workload that fails', async () => {
    const setUp = (): void => {
      throw new Error('no such kind');
    };
    assert.equal(
      await oracleOf({ processes: { bad: setUp } }),
      'program : process "bad" cannot be set up: no such kind',
    );
    assert.match(
      await oracleOf({
        workload: ({ client }) =>
          client
            .resource(ConfigMap)
            .namespace('none')
            .create({ metadata: { name: 'x' } })
            .then(() => {}),
      }),
      /^program : the workload failed: namespaces "none" not found/,
    );
  });

  it('a hot loop, with the key and what wakes it', async () => {
    assert.match(
      await oracleOf({
        processes: {
          counter: (manager) => {
            const maps = manager.objects(ConfigMap);
            let runs = 0;
            manager
              .controller('counter')
              .for(ConfigMap, { labelSelector: 'copy' })
              .reconcile(async (key) => void (await maps.patch(key, { data: { runs: String(runs++) } })));
          },
        },
      }),
      /^hot loop : .*; counter: counter ran default\/a \d+ times, woken by its own write to configmaps default\/a/,
    );
  });

  it('what is left behind when everything was deleted', async () => {
    assert.match(
      await oracleOf({ processes: { copier: copierThat({ forgets: true }) } }),
      /^left behind : after everything was deleted there is still:\n {2}configmaps default\/a-copy, made by copier, which has no owner/,
    );
  });
});

type Processes = NonNullable<SimulationOptions['processes']>;

function copierThat(how: Parameters<typeof copier>[0]): Processes[string] {
  const { processes = {} } = copier(how);
  // The copier has one process of that name.
  return processes['copier'] as Processes[string];
}
