import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '@windlass/base/testing/until';
import { main } from '../main.ts';
import { RecordingTerminal } from '../testing/recording-terminal.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`testing/${name}.ts`, import.meta.url));
const COPIES = fixture('copies');

/** A seed that breaks `careless`. */
const FAILING = '6';

interface Result {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

async function sim(
  args: readonly string[],
  { isTty = false, signal = new AbortController().signal } = {},
): Promise<Result> {
  const terminal = new RecordingTerminal({ isTty });
  const code = await main(['sim', ...args], terminal, signal);
  const { output, errors } = terminal;
  return { code, output, errors };
}

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-sim-'));
});
after(() => rm(folder, { recursive: true }));

describe('windlass sim', () => {
  it('prints the same whatever the number of processes, and keeps the journals', async () => {
    const journals = [join(folder, 'one'), join(folder, 'two')] as const;
    const run = (jobs: string, journal: string): Promise<Result> =>
      sim([COPIES, '--seeds', '2', '--json', '--jobs', jobs, '--journal', journal]);
    const one = await run('1', journals[0]);
    const two = await run('2', journals[1]);
    assert.equal(one.output, two.output);
    assert.equal(await readFile(journals[0], 'utf8'), await readFile(journals[1], 'utf8'));
    // The form of a line is what this test is about.
    const lines = one.output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      lines.slice(0, -1).map(({ event, simulation, seed }) => [event, simulation, seed]),
      [1, 2].flatMap((seed) => [
        ['seed', 'careless', seed],
        ['seed', 'careful', seed],
      ]),
    );
    const failed = lines.filter((line) => line['failed'] === true).length;
    assert.match(String(lines.at(-1)?.['digest']), /^[0-9a-f]{32}$/);
    assert.deepEqual({ ...lines.at(-1), digest: '' }, { event: 'summary', seeds: 4, failed, digest: '' });
    assert.equal(one.code, failed > 0 ? 1 : 0);
    assert.match(await readFile(journals[0], 'utf8'), /^# careless, seed 1\n[\s\S]*^# careful, seed 2\n/m);
  });

  it('shrinks the first seed that fails, and tells it with a timeline, a test, a table and a page', async () => {
    const page = join(folder, 'page.html');
    const { code, output, errors } = await sim([COPIES, '--seed', FAILING, '--html', page], { isTty: true });
    assert.equal(code, 1, output);
    assert.match(output, /FAULT .*: PATCH \/api\/v1\/namespaces\/default\/configmaps\/source/);
    assert.match(
      output,
      /seed \d+: invariant "one copy": there are \d copies\nwhen:\n {2}1\. write \d+ of copier: /,
    );
    assert.match(output, /simulationTest\('careless: one copy with seed \d+', \{/);
    assert.match(output, /^SIMULATION +SEEDS +FAILED .*\ncareless +1 +1 .*\ncareful +1 +0 /m);
    assert.match(output, /careless: invariant "one copy": seeds? \d/);
    assert.match(errors, /\d+ of 2 seeds, [\d.]+ a second, [\d.]+ virtual hours/);
    assert.match(await readFile(page, 'utf8'), /<title>careless, seed \d+<\/title>/);
  });

  it('goes on where another run has stopped, and says where it was cut short itself', async () => {
    const args = [COPIES, '--seeds', '1', '--from', '7'];
    const { output } = await sim([...args, '--json', '--jobs', '1']);
    assert.deepEqual(output.match(/"seed":\d+/g), ['"seed":7', '"seed":7']);
    assert.doesNotMatch(output, /nextSeed/);
    const stop = new AbortController();
    const terminal = new RecordingTerminal({ isTty: true });
    const running = main(
      ['sim', COPIES, '--from', '7', '--minutes', '10', '--jobs', '1'],
      terminal,
      stop.signal,
    );
    await until('some seeds are done', () => /[4-9] seeds,/.test(terminal.errors));
    stop.abort();
    await running;
    assert.match(terminal.output, /\nto go on from here: --from ([89]|1\d)\n$/);
    assert.doesNotMatch((await sim(args)).output, /to go on/);
  });

  it('shows the timeline of one seed', async () => {
    const { code, output } = await sim([COPIES, '--seed', '1']);
    assert.equal(code, 0, output);
    assert.match(
      output,
      /--- the workload begins\n.* user +creates configmaps default\/source \(version \d+\)\n/,
    );
    assert.equal(output.match(/seed 1 is fine, after/g)?.length, 2);
  });

  it('counts a program that ends its process as failed, and passes on what it prints', async () => {
    const { code, output, errors } = await sim([fixture('ends-its-process'), '--seeds', '2', '--jobs', '1']);
    assert.equal(code, 1);
    assert.match(output, /ends, seed 1: program: the process ended with exit code 3\n/);
    assert.match(output, /ends: program: seeds 1, 2\n/);
    assert.match(errors, /goodbye\n/);
  });

  it('ends with the summary so far when it is told to stop', async () => {
    const stop = new AbortController();
    const terminal = new RecordingTerminal();
    const running = main(['sim', COPIES, '--minutes', '10', '--json'], terminal, stop.signal);
    await terminal.printed('"seed":2');
    stop.abort();
    await running;
    const seeds = terminal.output.match(/"event":"seed"/g)?.length;
    assert.match(
      terminal.output,
      new RegExp(
        `\\{"event":"summary","seeds":${seeds},"failed":\\d+,"digest":"\\w+","nextSeed":\\d+\\}\\n$`,
      ),
    );
  });

  for (const [what, args, message] of [
    ['no file', [], /windlass sim takes a file that exports a simulation/],
    ['a file that is not there', ['nowhere.ts'], /nowhere\.ts is not there/],
    [
      'a file without a simulation',
      [fileURLToPath(import.meta.resolve('./messages.ts'))],
      /exports no simulation; write: export default/,
    ],
    ['a name twice', [COPIES, fixture('../testing/copies')], /another one of that name/],
    [
      'a bad plan',
      [fixture('bad-plan')],
      /plan\[0\]\.process must be one of .*"operator", but it is "nobody"/,
    ],
    ['a command for processes', [COPIES, '--exec', 'true'], /"careless" of .* has processes of its own/],
    ['a seed and seeds', [COPIES, '--seed', '1', '--seeds', '2'], /--seed runs one seed/],
    ['a seed and where to begin', [COPIES, '--seed', '1', '--from', '2'], /leave out --seeds, --from and/],
    ['to begin nowhere', [COPIES, '--from', '-1'], /--from must be a number from 0 to/],
    ['no seeds', [COPIES, '--seeds', '0'], /--seeds must be a number from 1 to/],
    [
      'a journal that cannot be written',
      [COPIES, '--journal', '/nowhere/journal'],
      /--journal \/nowhere\/journal cannot be written/,
    ],
  ] as const)
    it(`refuses ${what} in one sentence`, async () => {
      const { code, errors } = await sim(args);
      assert.match(errors, /^windlass: [^\n]+\n$/);
      assert.match(errors, message);
      assert.equal(code, 2);
    });
});
