import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ObjectMeta } from '@windlass/apimachinery';
import { type Container, Pod } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import { fullImageName, imageIdOf } from './image-name.ts';
import type { ContainerRequest } from './runtime.ts';
import { probeOutcome } from './simulated-probe.ts';
import { programOf } from './simulated-program.ts';
import { runScript } from './simulated-script.ts';

describe('commands', () => {
  for (const [command, expected] of [
    [['true'], [0, 0]],
    [['/bin/false'], [0, 1]],
    // What ends at once and well, all by name.
    ...'true echo date printf hostname env pwd ls cat : set mkdir touch rm cp chmod chown id uname whoami wget curl nslookup'
      .split(' ')
      .map((program): [string[], [number, number]] => [
        ['sh', '-c', `${program} x`],
        [0, 0],
      ]),
    [
      ['echo', 'hello'],
      [0, 0],
    ],
    [
      ['sleep', '5'],
      [5000, 0],
    ],
    [
      ['sleep', '5s'],
      [5000, 0],
    ],
    [
      ['sleep', '1.5m'],
      [90_000, 0],
    ],
    [
      ['sleep', '2h'],
      [7_200_000, 0],
    ],
    // What sleep is told several times adds up.
    [
      ['sleep', '1d', '1s'],
      [86_401_000, 0],
    ],
    [
      ['sh', '-c', 'sleep infinity; exit 1'],
      [Number.POSITIVE_INFINITY, 1],
    ],
    [['sleep', 'long'], undefined],
    [['nginx'], undefined],
    [[], undefined],
    [
      ['sh', '-c', 'exit 3'],
      [0, 3],
    ],
    [
      ['/bin/bash', '-ec', 'sleep 2; echo done; exit 7; sleep 9'],
      [2000, 7],
    ],
    [
      ['sh', '-c', 'false && sleep 5'],
      [0, 1],
    ],
    [
      ['sh', '-c', 'false || sleep 5'],
      [5000, 0],
    ],
    [
      ['sh', '-c', 'true && exit 300'],
      [0, 44],
    ],
    [['sh', '-c', 'while true; do sleep 1; done'], undefined],
    [['sh', '-c', 'echo $(date) | tee x'], undefined],
  ] as const)
    it(`${JSON.stringify(command)} ${expected === undefined ? 'runs for ever' : `ends after ${expected[0]} ms with ${expected[1]}`}`, () =>
      assert.deepEqual(
        runScript(command),
        expected === undefined ? undefined : { afterMs: expected[0], exitCode: expected[1] },
      ));
});

const request = (
  annotations: Record<string, string> = {},
  container: Partial<Container> = {},
  metadata: ObjectMeta = {},
): ContainerRequest => ({
  pod: served(Pod, {
    metadata: {
      ...metadata,
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [`simulation.windlass.dev/${key}`, value]),
      ),
    },
  }),
  container: { name: 'main', ...container },
  isInit: false,
  attempt: 0,
});

describe('what a container does', () => {
  const job = {
    ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: '1', controller: true }],
  };
  for (const [what, given, end] of [
    ['it runs until it is stopped', request(), undefined],
    ['a container of a job ends', request({}, {}, job), { afterMs: 0, exitCode: 0 }],
    ['its command counts', request({}, { command: ['sleep', '1'] }, job), { afterMs: 1000, exitCode: 0 }],
    ['it may never end, also in a job', request({}, { command: ['sleep', 'infinity'] }, job), undefined],
    [
      'arguments belong to it',
      request({}, { command: ['sh'], args: ['-c', 'exit 2'] }),
      { afterMs: 0, exitCode: 2 },
    ],
    [
      'annotations go before it',
      request({ 'exit-code': '9' }, { command: ['sleep', '1'] }),
      { afterMs: 0, exitCode: 9 },
    ],
    [
      'those for one container before those for all',
      request({ 'run-for': '1s', 'run-for.main': '2s' }),
      { afterMs: 2000, exitCode: 0 },
    ],
    ['what cannot be read is not said', request({ 'run-for': 'long', 'exit-code': '-1' }), undefined],
    [
      'the pause image runs, also in a job',
      request({}, { image: 'registry.k8s.io/pause:3.10' }, job),
      undefined,
    ],
    ['so does one for a platform', request({}, { image: 'k8s.gcr.io/pause-amd64:3.1' }, job), undefined],
    ["upstream's test image pauses by itself", request({}, { image: 'agnhost:2' }, job), undefined],
    ['or when it is told to', request({}, { image: 'a.io/agnhost:2', args: ['pause'] }, job), undefined],
    [
      'and serves',
      request({}, { image: 'a.io/agnhost@sha256:0', args: ['netexec', '--http-port=80'] }, job),
      undefined,
    ],
    [
      'what it does once ends',
      request({}, { image: 'agnhost', args: ['dns-suffix'] }, job),
      { afterMs: 0, exitCode: 0 },
    ],
    [
      'a test of a chart ends',
      request({}, { command: ['wget'], args: ['web:80'] }),
      { afterMs: 0, exitCode: 0 },
    ],
    [
      'a script may write files',
      request({}, { command: ['sh', '-c', 'date > /tmp/x; sleep 2; exit 4'] }),
      { afterMs: 2000, exitCode: 4 },
    ],
    ['an init container ends', { ...request(), isInit: true }, { afterMs: 0, exitCode: 0 }],
    ['a sidecar does not', { ...request({}, { restartPolicy: 'Always' }), isInit: true }, undefined],
  ] as const)
    it(what, () => assert.deepEqual(programOf(given).end, end));

  it('a sleep before the stop takes its time', () => {
    const lifecycle = { preStop: { sleep: { seconds: 4 } } };
    assert.equal(programOf(request({}, { lifecycle })).stop.afterMs, 4000);
    assert.equal(programOf(request({ 'stop-after': '1s' }, { lifecycle })).stop.afterMs, 1000);
    const exec = { preStop: { exec: { command: ['sh', '-c', 'sleep 3; nginx'] } } };
    assert.equal(programOf(request({}, { lifecycle: exec })).stop.afterMs, 0, 'not known to end');
    const known = { preStop: { exec: { command: ['sh', '-c', 'sleep 3'] } } };
    assert.equal(programOf(request({}, { lifecycle: known })).stop.afterMs, 3000);
  });

  it('a command has the variables that its container gives it', () => {
    const env = [
      { name: 'BASE', value: '4' },
      { name: 'CODE', value: '$(BASE)2' },
    ];
    const command = ['sh', '-c', 'X=wrong echo "$(CODE)"; exit $(CODE)'];
    assert.deepEqual(programOf(request({}, { command, env })).end, { afterMs: 0, exitCode: 42 });
    // What is not known is left to the shell, which might do anything.
    assert.equal(programOf(request({}, { command: ['sh', '-c', 'exit $(CODE)'] })).end, undefined);
  });

  it('a process takes a moment to end, unless it is said how long', () => {
    const lifecycle = { preStop: { sleep: { seconds: 4 } } };
    assert.equal(programOf(request({}), 100).stop.afterMs, 100);
    assert.equal(programOf(request({}, { lifecycle }), 100).stop.afterMs, 4100);
    assert.equal(programOf(request({ 'stop-after': '5s' }), 100).stop.afterMs, 5000);
  });

  it('probes succeed unless told otherwise', () => {
    const outcome = (annotations: Record<string, string>, ms: number) => {
      const { isSuccess, isSteady } = probeOutcome(request(annotations), 'readiness', ms);
      return [isSuccess, isSteady];
    };
    assert.deepEqual(outcome({}, 0), [true, true]);
    assert.deepEqual(outcome({ readiness: 'false' }, 0), [false, true]);
    assert.deepEqual(outcome({ 'readiness-after': '5s' }, 4999), [false, false]);
    assert.deepEqual(outcome({ 'readiness-after': '5s' }, 5000), [true, true]);
    assert.deepEqual(outcome({ 'readiness-until': '5s' }, 4999), [true, false]);
    assert.deepEqual(outcome({ 'readiness-until': '5s' }, 5000), [false, true]);
  });
});

describe('names of images', () => {
  for (const [short, full] of [
    ['nginx', 'docker.io/library/nginx:latest'],
    ['nginx:1.27', 'docker.io/library/nginx:1.27'],
    ['minio/directpv', 'docker.io/minio/directpv:latest'],
    ['ghcr.io/a/b:v1', 'ghcr.io/a/b:v1'],
    ['localhost:5000/x', 'localhost:5000/x:latest'],
    ['quay.io/x@sha256:abc', 'quay.io/x@sha256:abc'],
  ] as const)
    it(`${short} is ${full}`, () => assert.equal(fullImageName(short), full));

  it('have an identity without the tag', () =>
    assert.match(imageIdOf('localhost:5000/x:v1'), /^localhost:5000\/x@sha256:[0-9a-f]{64}$/));
});
