// Logs, commands, ports and proxies, from a client's socket through the API server to a node and back.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '@windlass/base/testing/until';
import {
  collectBytes,
  openSpdyCommand,
  SpdySession,
  type WebSocketConnection,
  webSocketDuplex,
} from '@windlass/streams';
import { StreamApi } from './testing/stream-api.ts';

const PODS = '/api/v1/namespaces/default/pods';
let api: StreamApi;

before(async () => {
  api = await StreamApi.start();
  const command = ['sh', '-c', 'echo one; echo two; echo three; sleep 9999'];
  for (const node of ['new', 'old']) await api.run(`on-${node}`, node, { command });
});
after(() => api[Symbol.asyncDispose]());

/** What each channel of a WebSocket has said, when the server closes it. */
async function channelsOf(socket: WebSocketConnection, isBase64 = false): Promise<Record<string, string>> {
  const said: Record<string, string> = {};
  let channel = '';
  for await (const { bytes, isStart } of socket.messages()) {
    let rest = Buffer.from(bytes);
    if (isStart) {
      channel = isBase64 ? rest.toString('latin1', 0, 1) : String(rest[0]);
      rest = rest.subarray(1);
    }
    said[channel] =
      (said[channel] ?? '') + (isBase64 ? Buffer.from(rest.toString(), 'base64') : rest).toString();
  }
  return said;
}

function execPath(pod: string, command: readonly string[], streams = 'stdout=1&stderr=1'): string {
  return `${PODS}/${pod}/exec?${command.map((word) => `command=${encodeURIComponent(word)}`).join('&')}&${streams}`;
}

async function open(path: string, protocol: string, options = {}): Promise<WebSocketConnection> {
  const opened = await api.webSocket(path, protocol, options);
  assert.ok('socket' in opened, JSON.stringify(opened));
  assert.equal(opened.protocol, protocol === '' ? undefined : protocol);
  return opened.socket;
}

const SUCCESS = { metadata: {}, status: 'Success' };
const FAILED = {
  metadata: {},
  status: 'Failure',
  reason: 'NonZeroExitCode',
  details: { causes: [{ reason: 'ExitCode', message: '3' }] },
  message: 'command terminated with non-zero exit code: exit status 3',
};

describe('pods/attach', () => {
  for (const node of ['new', 'old'])
    it(`shows what is printed from now on, and nothing from before: ${node}`, async () => {
      // It has run for five seconds, and goes on to print however late this asks.
      const command = ['sh', '-c', 'echo early; while true; do sleep 1; echo late; done'];
      await api.run(`attached-${node}`, node, { command });
      const socket = await open(`${PODS}/attached-${node}/attach?stdout=1`, 'v5.channel.k8s.io');
      let said = '';
      for await (const { bytes, isStart } of socket.messages()) {
        const [channel] = bytes;
        if (isStart) assert.equal(channel, 1);
        said += Buffer.from(bytes.subarray(isStart ? 1 : 0)).toString();
        if (said.includes('late')) break;
      }
      assert.equal(said, 'late\n');
    });
});

describe('pods/log', () => {
  for (const [query, text] of [
    ['', 'one\ntwo\nthree\n'],
    ['?tailLines=1', 'three\n'],
    ['?tailLines=0', ''],
    ['?limitBytes=5', 'one\nt'],
    ['?sinceSeconds=3600', 'one\ntwo\nthree\n'],
    ['?sinceSeconds=1', ''],
    ['?container=main', 'one\ntwo\nthree\n'],
  ] as const)
    it(`answers with the text of the container: ${query}`, async () => {
      assert.deepEqual(await api.ask(`${PODS}/on-new/log${query}`), { status: 200, body: text });
    });

  it('has a time before each line when asked for', async () => {
    const { body } = await api.ask(`${PODS}/on-new/log?timestamps=true&tailLines=1`);
    assert.match(body, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z three\n$/);
  });

  for (const [query, status, message] of [
    ['?container=x', 400, 'container x is not valid for pod on-new'],
    ['?previous=true', 400, 'previous terminated container "main" in pod "on-new" not found'],
    [
      '?tailLines=-1',
      422,
      'PodLogOptions "on-new" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0',
    ],
    [
      '?sinceSeconds=0',
      422,
      'PodLogOptions "on-new" is invalid: sinceSeconds: Invalid value: 0: must be greater than 0',
    ],
  ] as const)
    it(`refuses ${query}`, async () => {
      const answer = await api.ask(`${PODS}/on-new/log${query}`);
      assert.equal(answer.status, status);
      assert.equal(JSON.parse(answer.body).message, message);
    });

  it('says why there is none yet', async () => {
    const waiting = { state: { waiting: { reason: 'ContainerCreating' } }, ready: false, restartCount: 0 };
    await api.run(
      'early',
      'new',
      {},
      {
        phase: 'Pending',
        containerStatuses: [{ name: 'main', image: 'x', imageID: '', ...waiting }],
      },
    );
    const { status, body } = await api.ask(`${PODS}/early/log`);
    assert.equal(status, 400);
    assert.equal(
      JSON.parse(body).message,
      'container "main" in pod "early" is waiting to start: ContainerCreating',
    );
  });

  it('is what a known image prints by itself', async () => {
    await api.run('paused', 'new', { image: 'registry.k8s.io/e2e-test-images/agnhost:2.56' });
    assert.deepEqual(await api.ask(`${PODS}/paused/log`), { status: 200, body: 'Paused\n' });
  });

  it('is empty for a pod that is on no node', async () => {
    await api.must('POST', PODS, {
      metadata: { name: 'nowhere' },
      spec: { automountServiceAccountToken: false, containers: [{ name: 'main', image: 'x' }] },
    });
    assert.deepEqual(await api.ask(`${PODS}/nowhere/log`), { status: 200, body: '' });
  });

  for (const protocol of ['', 'binary.k8s.io', 'base64.binary.k8s.io'])
    for (const pod of ['on-new', 'nowhere'])
      it(`comes in messages where a client speaks WebSocket: "${protocol}", ${pod}`, async () => {
        const socket = await open(`${PODS}/${pod}/log`, protocol);
        const messages: string[] = [];
        for await (const { bytes, isStart } of socket.messages())
          if (isStart) messages.push(Buffer.from(bytes).toString());
          else messages.push(`${messages.pop()}${Buffer.from(bytes).toString()}`);
        const [first, ...rest] = messages;
        assert.equal(first, '');
        const isBase64 = protocol.startsWith('base64');
        const said = rest.map((text) => (isBase64 ? Buffer.from(text, 'base64') : text)).join('');
        assert.equal(said, pod === 'nowhere' ? '' : 'one\ntwo\nthree\n');
      });

  it('is refused over WebSocket as without it', async () => {
    const answer = await api.webSocket(`${PODS}/on-new/log?container=x`, '');
    assert.ok(!('socket' in answer));
    assert.equal(answer.status, 400);
  });

  it('reaches callers within the process too', async () => {
    const answer = await api.admin.request({ method: 'GET', path: `${PODS}/on-new/log` });
    assert.equal(String(answer.body), 'one\ntwo\nthree\n');
  });
});

describe('pods/exec', () => {
  for (const node of ['new', 'old'])
    for (const protocol of ['v5.channel.k8s.io', 'v4.channel.k8s.io'])
      it(`speaks ${protocol} with a node that is ${node}`, async () => {
        const script = 'echo out; nosuch; exit 3';
        const socket = await open(execPath(`on-${node}`, ['sh', '-c', script]), protocol);
        const { '1': out, '2': err, '3': status } = await channelsOf(socket);
        assert.equal(out, 'out\n');
        assert.equal(err, 'sh: nosuch: not found\n');
        assert.deepEqual(JSON.parse(status ?? ''), FAILED);
      });

  it('speaks base64', async () => {
    const socket = await open(execPath('on-new', ['echo', 'ä']), 'v4.base64.channel.k8s.io');
    const said = await channelsOf(socket, true);
    assert.equal(said['1'], 'ä\n');
    assert.deepEqual(JSON.parse(said['3'] ?? ''), SUCCESS);
  });

  it('tells only failures in the oldest protocol', async () => {
    const well = await channelsOf(await open(execPath('on-new', ['true']), 'channel.k8s.io'));
    assert.equal(well['3'], undefined);
    const ill = await channelsOf(await open(execPath('on-new', ['false']), 'channel.k8s.io'));
    assert.equal(ill['3'], 'command terminated with non-zero exit code: exit status 1');
  });

  for (const node of ['new', 'old'])
    it(`ends stdin when the client of a node that is ${node} does`, async () => {
      const socket = await open(execPath(`on-${node}`, ['cat'], 'stdin=1&stdout=1'), 'v5.channel.k8s.io');
      const big = Buffer.alloc(500_000, 'x');
      await socket.send('binary', Buffer.concat([Uint8Array.of(0), big]));
      await socket.send('binary', Uint8Array.of(255, 0));
      const { '1': out, '3': status } = await channelsOf(socket);
      assert.equal(out?.length, big.byteLength);
      assert.deepEqual(JSON.parse(status ?? ''), SUCCESS);
    });

  for (const node of ['new', 'old'])
    it(`speaks SPDY with a node that is ${node}`, async () => {
      const opened = await api.spdy(
        execPath(`on-${node}`, ['sh', '-c', 'cat; exit 3'], 'stdin=1&stdout=1&stderr=1'),
        'v4.channel.k8s.io',
      );
      assert.ok('socket' in opened, JSON.stringify(opened));
      assert.equal(opened.headers['x-stream-protocol-version'], 'v4.channel.k8s.io');
      const command = await openSpdyCommand(opened.socket, {
        stdin: true,
        stdout: true,
        stderr: true,
        tty: false,
      });
      await command.stdin?.write(Buffer.from('over spdy'));
      await command.stdin?.end();
      assert.ok(command.stdout !== undefined);
      assert.equal(String(await collectBytes(command.stdout.input, 1000)), 'over spdy');
      assert.deepEqual(JSON.parse(String(await collectBytes(command.error.input, 1000))), FAILED);
      await command.close();
    });

  it('has a terminal that echoes', async () => {
    const socket = await open(execPath('on-new', ['sh'], 'stdin=1&stdout=1&tty=1'), 'v5.channel.k8s.io');
    await socket.send('binary', Buffer.concat([Uint8Array.of(4), Buffer.from('{"Width":80,"Height":24}')]));
    await socket.send('binary', Buffer.concat([Uint8Array.of(0), Buffer.from('echo hi\rexit\r')]));
    const { '1': out } = await channelsOf(socket);
    assert.equal(out, 'echo hi\r\nexit\r\nhi\r\n');
  });

  for (const [what, path, status, message] of [
    ['a pod that is not there', execPath('gone', ['true']), 404, 'pods "gone" not found'],
    [
      'a container that is not there',
      `${execPath('on-new', ['true'])}&container=x`,
      400,
      'container x is not valid for pod on-new',
    ],
    ['a pod on no node', execPath('nowhere', ['true']), 400, 'pod nowhere does not have a host assigned'],
    [
      'a container that is not there in a pod on no node',
      `${execPath('nowhere', ['true'])}&container=x`,
      400,
      'container x is not valid for pod nowhere',
    ],
  ] as const)
    it(`refuses ${what}`, async () => {
      const answer = await api.webSocket(path, 'v5.channel.k8s.io');
      assert.ok('body' in answer);
      assert.equal(answer.status, status);
      assert.equal(JSON.parse(answer.body).message, message);
    });

  it('hands on what the node refuses', async () => {
    assert.deepEqual(await api.webSocket(execPath('early', ['true']), 'v5.channel.k8s.io'), {
      status: 404,
      body: 'container not found ("main")',
    });
    assert.deepEqual(await api.webSocket(execPath('on-new', ['true'], ''), 'v5.channel.k8s.io'), {
      status: 400,
      body: 'you must specify at least 1 of stdin, stdout, stderr',
    });
  });

  it('needs another protocol', async () => {
    const { status, body } = await api.ask(execPath('on-new', ['true']), { method: 'POST' });
    assert.equal(status, 400);
    assert.equal(JSON.parse(body).message, 'Upgrade request required');
  });
});

describe('pods/portforward', () => {
  const GET = 'GET /x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

  async function talk(session: SpdySession): Promise<string> {
    const stream = (type: string): Map<string, string> =>
      new Map([
        ['streamtype', type],
        ['port', '80'],
        ['requestid', '0'],
      ]);
    const error = await session.open(stream('error'));
    await error.end();
    const data = await session.open(stream('data'));
    await data.write(Buffer.from(GET));
    const answer = String(await collectBytes(data.input, 10_000));
    await data.end();
    assert.equal(String(await collectBytes(error.input, 1000)), '');
    return answer;
  }

  for (const node of ['new', 'old']) {
    it(`tunnels SPDY through a WebSocket to a node that is ${node}`, async () => {
      const socket = await open(`${PODS}/on-${node}/portforward`, 'SPDY/3.1+portforward.k8s.io');
      const session = new SpdySession(webSocketDuplex(socket), { role: 'client' });
      void session.run().catch(() => {});
      assert.match(await talk(session), new RegExp(`"pod":"on-${node}".*"port":80.*"path":"/x"`));
      await session.close();
    });

    it(`speaks SPDY with a node that is ${node}`, async () => {
      const opened = await api.spdy(`${PODS}/on-${node}/portforward`, 'portforward.k8s.io');
      assert.ok('socket' in opened, JSON.stringify(opened));
      const session = new SpdySession(opened.socket, { role: 'client' });
      void session.run().catch(() => {});
      assert.match(await talk(session), /"path":"\/x"/);
      await session.close();
    });
  }

  it('has channels for ports, as the Python client wants them', async () => {
    const socket = await open(`${PODS}/on-new/portforward?ports=80`, 'v4.channel.k8s.io');
    await socket.send('binary', Buffer.concat([Uint8Array.of(0), Buffer.from(GET)]));
    const { '0': data = '', '1': error } = await channelsOf(socket);
    assert.equal(data.slice(0, 2), 'P\0');
    assert.match(data, /"path":"\/x"/);
    assert.equal(error, 'P\0');
  });
});

describe('who may', () => {
  before(async () => {
    await api.grant('reader', [{ apiGroups: [''], resources: ['pods', 'pods/exec'], verbs: ['get'] }]);
    await api.grant('runner', [{ apiGroups: [''], resources: ['pods/exec'], verbs: ['get', 'create'] }]);
    // Roles count a moment after they are written.
    await until('the roles count', async () => {
      const answer = await api.webSocket(execPath('on-new', ['true']), 'v5.channel.k8s.io', {
        token: 'runner',
      });
      if ('socket' in answer) await answer.socket.close();
      return answer.status === 101;
    });
  });

  it('run something in a pod must be allowed to create, also over a GET', async () => {
    const answer = await api.webSocket(execPath('on-new', ['true']), 'v5.channel.k8s.io', {
      token: 'reader',
    });
    assert.equal(answer.status, 403);
  });

  it('log, forward and proxy is each a permission of its own', async () => {
    for (const path of ['log', 'portforward', 'attach?stdout=1', 'proxy/'])
      assert.equal((await api.ask(`${PODS}/on-new/${path}`, { token: 'runner' })).status, 403, path);
    assert.equal((await api.ask('/api/v1/nodes/new/proxy/healthz', { token: 'runner' })).status, 403);
  });

  it('be known by a subprotocol, which nobody else sees', async () => {
    const token = `base64url.bearer.authorization.k8s.io.${Buffer.from('runner').toString('base64url')}`;
    const path = execPath('on-new', ['echo', 'me']);
    const opened = await api.webSocket(path, `${token}, v5.channel.k8s.io`, { token: '' });
    assert.ok('socket' in opened, JSON.stringify(opened));
    assert.equal(opened.protocol, 'v5.channel.k8s.io');
    assert.equal((await channelsOf(opened.socket))['1'], 'me\n');
    for (const protocols of [token, `${token}, ${token}, v5.channel.k8s.io`, `${token}A, v5.channel.k8s.io`])
      assert.equal((await api.webSocket(path, protocols, { token: '' })).status, 401, protocols);
  });

  it('is told to the audit log, from its beginning to its end', async () => {
    const path = execPath('on-new', ['echo', 'audited']);
    await channelsOf(await open(path, 'v5.channel.k8s.io'));
    const stages = (): string[] =>
      api.audited
        .map((line) => JSON.parse(line))
        .filter(
          ({ objectRef, requestURI }) => objectRef?.subresource === 'exec' && /audited/.test(requestURI),
        )
        .map(({ stage, responseStatus }) => `${stage} ${responseStatus?.code ?? ''}`);
    await until('the end is told', stages, (seen) => seen.length === 2);
    assert.deepEqual(stages(), ['ResponseStarted 101', 'ResponseComplete 101']);
  });
});

describe('admission', () => {
  it('has a say in CONNECT, and sees what is asked for', async () => {
    const base = '/apis/admissionregistration.k8s.io/v1';
    await api.must('POST', `${base}/validatingadmissionpolicies`, {
      metadata: { name: 'no-shells' },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CONNECT'], resources: ['pods/exec'] },
          ],
        },
        validations: [{ expression: "object.command[0] != 'bash'", message: 'no shells here' }],
      },
    });
    await api.must('POST', `${base}/validatingadmissionpolicybindings`, {
      metadata: { name: 'no-shells' },
      spec: { policyName: 'no-shells', validationActions: ['Deny'] },
    });
    await until('the policy counts', async () => {
      const answer = await api.webSocket(execPath('on-new', ['bash', '-c', 'true']), 'v5.channel.k8s.io');
      if ('socket' in answer) await answer.socket.close();
      return 'body' in answer && answer.status === 422 && answer.body.includes('no shells here');
    });
    const socket = await open(execPath('on-new', ['true']), 'v5.channel.k8s.io');
    assert.deepEqual(JSON.parse((await channelsOf(socket))['3'] ?? ''), SUCCESS);
  });
});

describe('proxies', () => {
  it('hand on any request to a pod, with the rest of its path', async () => {
    const { status, body } = await api.ask(`${PODS}/on-new:8080/proxy/a%20b/c/?q=1&q=2`, { method: 'PUT' });
    assert.equal(status, 200);
    const { port, method, path } = JSON.parse(body);
    assert.deepEqual({ port, method, path }, { port: 8080, method: 'PUT', path: '/a%20b/c/?q=1&q=2' });
  });

  it('send a browser to where relative links work', async () => {
    assert.equal((await api.ask(`${PODS}/on-new:80/proxy`)).status, 301);
  });

  it('lead to a node', async () => {
    assert.deepEqual(await api.ask('/api/v1/nodes/new/proxy/healthz'), { status: 200, body: 'ok' });
    const { body } = await api.ask('/api/v1/nodes/new:10250/proxy/pods');
    assert.ok(JSON.parse(body).items.length > 0);
    const run = await api.ask('/api/v1/nodes/new/proxy/run/default/on-new/main?cmd=echo+ran', {
      method: 'POST',
    });
    assert.deepEqual(run, { status: 200, body: 'ran\n' });
  });

  it('lead to a pod behind a service', async () => {
    await api.must('POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'web' },
      spec: { ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
    });
    assert.equal((await api.ask('/api/v1/namespaces/default/services/web:http/proxy/')).status, 503);
    await api.must('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
      metadata: { name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
      addressType: 'IPv4',
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      endpoints: [{ addresses: ['10.128.0.9'], conditions: { ready: true } }],
    });
    for (const name of ['web:http', 'web:80', 'web'])
      assert.equal(
        JSON.parse((await api.ask(`/api/v1/namespaces/default/services/${name}/proxy/y`)).body).port,
        8080,
      );
  });
});

describe('a watch over a WebSocket', () => {
  it('has each event in a message of its own', async () => {
    const opened = await api.webSocket('/api/v1/namespaces/default/configmaps?watch=true', '');
    assert.ok('socket' in opened, JSON.stringify(opened));
    const messages = opened.socket.messages();
    await api.must('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'seen' } });
    for (;;) {
      const { value, done } = await messages.next();
      assert.notEqual(done, true);
      const { type, object } = JSON.parse(Buffer.from(value?.bytes ?? []).toString());
      if (object.metadata.name !== 'seen') continue;
      assert.equal(type, 'ADDED');
      break;
    }
    await opened.socket.close();
  });
});
