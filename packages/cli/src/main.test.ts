import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { main } from './main.ts';
import { RecordingTerminal } from './testing/recording-terminal.ts';

const never = new AbortController().signal;

function statusOf(url: string, token: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    get(url, { headers, rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

describe('the command line', () => {
  for (const [args, code, says] of [
    [[], 0, 'Usage: windlass'],
    [['version'], 0, 'windlass 0.1.0'],
    [['fly'], 2, 'there is no command "fly"'],
    [['sttaus'], 2, 'there is no command "sttaus"; did you mean "status"?'],
    [['up', '--nodes', '-1'], 2, '--nodes must be a number from 0 to 10000, but it is "-1"'],
    [['up', '--drives', '1.5'], 2, '--drives must be a number from 0 to 100, but it is "1.5"'],
    [['up', '--port', 'x'], 2, '--port must be a number from 0 to 65535, but it is "x"'],
    [['up', '--output', 'xml'], 2, '--output must be text or json, but it is "xml"'],
    [['up', '--log-level', 'loud'], 2, '--log-level must be debug, info, warn or error, but it is "loud"'],
    [['up', '--audit-level', 'All'], 2, '--audit-level must be None, Metadata, Request, RequestResponse'],
    [['up', '--audit-policy', '/no/such/file'], 2, '--audit-policy /no/such/file cannot be read: ENOENT'],
    [['up', '--token-auth-file', '/no/such/file'], 2, '--token-auth-file /no/such/file cannot be read'],
    [
      ['up', '--host', '192.0.2.7', '--advertise-address', '0.0.0.0'],
      2,
      '--advertise-address must be an address by which nodes reach this machine, such as 192.0.2.7, but it is "0.0.0.0"',
    ],
    [
      ['up', '--advertise-address', '192.0.2.7'],
      2,
      '--advertise-address 192.0.2.7 needs --host 192.0.2.7 or --host 0.0.0.0: without it only this machine is served',
    ],
    [['apiserver', '--approve-kubelet-serving', 'true'], 2, '--approve-kubelet-serving is for windlass up'],
    [['up', '--anonymous-auth', 'no'], 2, '--anonymous-auth must be true or false, but it is "no"'],
    [
      ['up', '--drive'],
      2,
      'there is no flag --drive; did you mean --drives? windlass help up lists the flags',
    ],
  ] as const) {
    it(`answers "windlass ${args.join(' ')}" with exit code ${code}`, async () => {
      const terminal = new RecordingTerminal();
      assert.equal(await main(args, terminal, never), code);
      assert.ok(
        (code === 0 ? terminal.output : terminal.errors).includes(says),
        terminal.output + terminal.errors,
      );
    });
  }
});

// Loop devices with real file systems have lanes of their own.
const DIRECTORIES = ['--drive-backend', 'directory'];

describe('windlass up', () => {
  let directory = '';
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'windlass-up-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it('says in JSON where it is, keeps its kubeconfig to its owner, and stops cleanly', async () => {
    const terminal = new RecordingTerminal();
    const stop = new AbortController();
    const running = main(
      ['up', '--data-dir', directory, '--port', '0', '--output', 'json', ...DIRECTORIES],
      terminal,
      stop.signal,
    );
    await Promise.race([terminal.printed('ready'), running]);
    const ready = JSON.parse(terminal.output.split('\n')[0] ?? '') as Record<string, string>;
    assert.equal(ready['event'], 'ready');
    assert.match(ready['server'] ?? '', /^https:\/\/127\.0\.0\.1:\d+$/);
    const kubeconfig = ready['kubeconfig'] ?? '';
    assert.equal((await stat(kubeconfig)).mode & 0o777, 0o600);
    assert.ok((await readFile(kubeconfig, 'utf8')).includes(ready['server'] ?? '-'));
    stop.abort();
    assert.equal(await running, 0);
    assert.equal(terminal.errors, '');
  });

  it('logs requests when asked to, for its owner only', async () => {
    const terminal = new RecordingTerminal();
    const stop = new AbortController();
    const flags = ['--data-dir', directory, '--port', '0', '--output', 'json', '--audit-level', 'Metadata'];
    const running = main(['up', ...flags, ...DIRECTORIES], terminal, stop.signal);
    await Promise.race([terminal.printed('ready'), running]);
    stop.abort();
    assert.equal(await running, 0);
    const log = join(directory, 'audit.log');
    assert.equal((await stat(log)).mode & 0o777, 0o600);
    const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
    assert.ok(lines.length > 0);
    for (const line of lines) assert.equal((JSON.parse(line) as { kind: string }).kind, 'Event');
  });

  it('knows the users of its token file', async () => {
    const terminal = new RecordingTerminal();
    const stop = new AbortController();
    const tokens = join(directory, 'tokens.csv');
    await writeFile(tokens, 'secret,ann,17,"system:masters"\n');
    const flags = ['--data-dir', directory, '--in-memory', '--port', '0', '--output', 'json'];
    const running = main(['apiserver', ...flags, '--token-auth-file', tokens], terminal, stop.signal);
    await Promise.race([terminal.printed('ready'), running]);
    const { server } = JSON.parse(terminal.output.split('\n')[0] ?? '') as { server: string };
    assert.equal(await statusOf(`${server}/api/v1/namespaces`, 'secret'), 200);
    assert.equal(await statusOf(`${server}/api/v1/namespaces`, 'another'), 401);
    stop.abort();
    assert.equal(await running, 0);
  });

  it('refuses a data directory that another one uses, and a port that is taken', async () => {
    const first = new RecordingTerminal();
    const stop = new AbortController();
    const running = main(
      ['up', '--data-dir', directory, '--port', '0', '--output', 'json', ...DIRECTORIES],
      first,
      stop.signal,
    );
    await Promise.race([first.printed('ready'), running]);
    const second = new RecordingTerminal();
    assert.equal(await main(['up', '--data-dir', directory, '--port', '0'], second, never), 1);
    assert.match(second.errors, /is open in process \d+; stop it, or choose another data directory/);
    const port = new URL((JSON.parse(first.output.split('\n')[0] ?? '') as { server: string }).server).port;
    const third = new RecordingTerminal();
    assert.equal(
      await main(['up', '--in-memory', '--data-dir', join(directory, 'other'), '--port', port], third, never),
      1,
    );
    assert.match(third.errors, new RegExp(`port ${port} on 127.0.0.1 is in use`));
    stop.abort();
    assert.equal(await running, 0);
  });
});
