import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Container, Pod, type Probe } from '@windlass/apimachinery/api/core/v1';
import { served } from '@windlass/apimachinery/testing';
import type { ContainerRequest } from './runtime.ts';
import { probeOutcome } from './simulated-probe.ts';

const PREFIX = 'simulation.windlass.dev/';

function request(
  probe: Probe,
  container: Partial<Container> = {},
  annotations: Record<string, string> = {},
): ContainerRequest {
  return {
    pod: served(Pod, { metadata: { annotations } }),
    container: { name: 'main', livenessProbe: probe, ...container },
    isInit: false,
    attempt: 0,
  };
}

/** `ok`, or what it says; with `…` when that may change by itself. */
function outcome(given: ContainerRequest, ms: number): string {
  const { isSuccess, isSteady, output = '' } = probeOutcome(given, 'liveness', ms);
  return `${isSuccess ? 'ok' : `fails ${output}`.trim()}${isSteady === true ? '' : '…'}`;
}

const exec = (...command: string[]): Probe => ({ exec: { command } });
const http = (port: number | string): Probe => ({ httpGet: { port, path: '/healthz' } });
const sh = (script: string): Partial<Container> => ({ command: ['/bin/sh', '-c', script] });

describe('a probe', () => {
  const health = sh('echo ok >/tmp/health; sleep 10; rm -rf /tmp/health; sleep 600');
  const ready = sh('sleep 5 && touch /tmp/ready && sleep infinity');
  const gone = "fails cat: can't open '/tmp/health': No such file or directory…";
  const open = { [`${PREFIX}open-ports`]: '80, 443' };
  const ports = {
    ports: [
      { name: 'web', containerPort: 80 },
      { name: 'admin', containerPort: 8080 },
    ],
  };
  const refused = (port: number): string => `fails dial tcp :${port}: connect: connection refused`;
  const agnhost = { image: 'registry.k8s.io/e2e-test-images/agnhost:2.53', args: ['liveness'] };
  const rows: [what: string, given: ContainerRequest, ms: number, expected: string][] = [
    ['of a command that is well', request(exec('true')), 0, 'ok'],
    ['of a command that fails', request(exec('sh', '-c', 'exit 1')), 0, 'fails'],
    ['of a command that is not known', request(exec('pg_isready')), 0, 'ok'],
    ['of a command in its time', request({ ...exec('sleep', '2'), timeoutSeconds: 2 }), 0, 'ok'],
    [
      'of a command that takes too long',
      request(exec('sleep', '2')),
      0,
      'fails command timed out: "sleep 2" timed out after 1s',
    ],
    ['of a file that is there', request(exec('cat', '/tmp/health'), health), 9999, 'ok…'],
    ['of a file that was removed', request(exec('cat', '/tmp/health'), health), 10_000, gone],
    [
      'of a file that is not there yet',
      request(exec('test', '-f', '/tmp/ready'), ready),
      4999,
      "fails cat: can't open '/tmp/ready': No such file or directory…",
    ],
    ['of a file that has come', request(exec('[', '-e', '/tmp/ready', ']'), ready), 5000, 'ok…'],
    ['of a file that nobody speaks of', request(exec('cat', '/tmp/other'), health), 0, 'ok'],
    ['of a port, of which nothing is known', request(http(8080)), 0, 'ok'],
    ['of a port that is open', request(http('web'), ports, open), 0, 'ok'],
    ['of a port that is not', request(http('admin'), ports, open), 0, refused(8080)],
    ['of a socket that is not open', request({ tcpSocket: { port: 81 } }, {}, open), 0, refused(81)],
    ['of the test image that gets ill', request(http(8080), agnhost), 9999, 'ok…'],
    [
      'of it when it is',
      request(http(8080), agnhost),
      10_000,
      'fails HTTP probe failed with statuscode: 500',
    ],
    [
      'that an annotation decides',
      request(exec('false'), {}, { [`${PREFIX}liveness-until`]: '1m' }),
      0,
      'ok…',
    ],
  ];
  for (const [what, given, ms, expected] of rows)
    it(`${what}, after ${ms} ms: ${expected}`, () => assert.equal(outcome(given, ms), expected));
});
