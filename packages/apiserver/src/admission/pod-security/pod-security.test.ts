import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ApiResponse, Status } from '@windlass/apimachinery';
import { ApiServer } from '../../api-server.ts';
import type { AuditEvent } from '../../audit/audit-event.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';
import { violationsOf, violationsText } from './evaluate-pod.ts';
import { levelText, securityPolicyOf } from './security-policy.ts';

type Fields = Readonly<Record<string, unknown>>;

const GOOD = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};
const containers = [{ name: 'a', securityContext: GOOD }];
const spec = (more: Fields = {}): Fields => ({ containers, ...more });
const context = (more: Fields, name = 'a'): Fields => ({
  containers: [{ name, securityContext: { ...GOOD, ...more } }],
});
const check = (
  level: 'baseline' | 'restricted',
  pod: Fields,
  minor: number | 'latest' = 'latest',
  annotations: Record<string, string> = {},
): string => violationsText(violationsOf({ level, minor }, { annotations, spec: pod as never }));

describe('the baseline', () => {
  for (const [pod, expected, minor, annotations] of [
    [spec(), ''],
    [spec({ hostNetwork: true, hostIPC: true }), 'host namespaces (hostNetwork=true, hostIPC=true)'],
    [
      spec({
        volumes: [
          { name: 'v', hostPath: { path: '/' } },
          { name: 'w', hostPath: {} },
          { name: 'x', emptyDir: {} },
        ],
      }),
      'hostPath volumes (volumes "v", "w")',
    ],
    [
      { containers: [{ name: 'a', ports: [{ hostPort: 80 }, { hostPort: 0 }, { hostPort: 443 }] }] },
      'hostPort (container "a" uses hostPorts 443, 80)',
    ],
    [
      context({ privileged: true }),
      'privileged (container "a" must not set securityContext.privileged=true)',
    ],
    [
      context({ capabilities: { add: ['SYS_TIME', 'CHOWN', 'NET_RAW'] } }),
      'non-default capabilities (container "a" must not include "NET_RAW", "SYS_TIME" in securityContext.capabilities.add)',
    ],
    [
      context({ procMount: 'Unmasked' }),
      'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
    ],
    [{ ...context({ procMount: 'Unmasked' }), hostUsers: false }, ''],
    [
      { ...context({ procMount: 'Unmasked' }), hostUsers: false },
      'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
      34,
    ],
    [
      spec({ securityContext: { seLinuxOptions: { type: 'x', user: 'u' } } }),
      'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "x"; user may not be set)',
    ],
    [context({ seLinuxOptions: { type: 'container_engine_t' } }), ''],
    [
      context({ seLinuxOptions: { type: 'container_engine_t' } }),
      'seLinuxOptions (container "a" set forbidden securityContext.seLinuxOptions: type "container_engine_t")',
      30,
    ],
    [
      {
        ...context({ seccompProfile: { type: 'Unconfined' } }),
        securityContext: { seccompProfile: { type: 'Odd' } },
      },
      'seccompProfile (pod and container "a" must not set securityContext.seccompProfile.type to "Odd", "Unconfined")',
    ],
    [
      context({ seccompProfile: { type: 'Unconfined' } }),
      'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
      18,
      { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' },
    ],
    [
      spec({ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem' }, { name: 'kernel.msgmax' }] } }),
      'forbidden sysctls (kernel.msgmax)',
    ],
    [
      spec({ securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem' }] } }),
      'forbidden sysctls (net.ipv4.tcp_rmem)',
      31,
    ],
    [
      spec({ securityContext: { windowsOptions: { hostProcess: true } } }),
      'hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)',
    ],
    [
      context({ appArmorProfile: { type: 'Unconfined' } }),
      'forbidden AppArmor profile (container "a" must not set AppArmor profile type to "Unconfined")',
    ],
    [
      spec(),
      'forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/a="unconfined"")',
      'latest',
      { 'container.apparmor.security.beta.kubernetes.io/a': 'unconfined' },
    ],
    [
      {
        containers: [
          {
            name: 'a',
            livenessProbe: { httpGet: { host: 'h' } },
            lifecycle: { preStop: { tcpSocket: { host: 'g' } } },
          },
        ],
      },
      'probe or lifecycle host (container "a" uses probe or lifecycle hosts "g", "h")',
    ],
    [{ containers: [{ name: 'a', livenessProbe: { httpGet: { host: 'h' } } }] }, '', 33],
  ] as const) {
    it(`${expected === '' ? 'lets through' : 'says'} ${expected || JSON.stringify(pod)}${minor === undefined ? '' : ` in v1.${minor}`}`, () => {
      assert.equal(check('baseline', pod, minor, annotations), expected);
    });
  }

  it('looks at containers of every kind, those that begin first', () => {
    const bad = { securityContext: { privileged: true } };
    const pod = {
      containers: [{ name: 'a', ...bad }],
      initContainers: [{ name: 'i', ...bad }],
      ephemeralContainers: [{ name: 'e', ...bad }],
    };
    assert.equal(
      check('baseline', pod),
      'privileged (containers "i", "a", "e" must not set securityContext.privileged=true)',
    );
  });
});

describe('restricted', () => {
  const bare = { containers: [{ name: 'a' }] };
  for (const [pod, expected, minor] of [
    [spec(), ''],
    [
      bare,
      'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
    [bare, 'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)', 7],
    [
      { ...bare, os: { name: 'windows' } },
      'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)',
    ],
    [
      context({ capabilities: { drop: ['ALL'], add: ['NET_BIND_SERVICE', 'CHOWN'] } }),
      'unrestricted capabilities (container "a" must not include "CHOWN" in securityContext.capabilities.add)',
    ],
    [
      context({ runAsNonRoot: false }),
      'runAsNonRoot != true (container "a" must not set securityContext.runAsNonRoot=false)',
    ],
    [{ ...context({ runAsNonRoot: false, runAsUser: 0 }), hostUsers: false }, ''],
    [
      { ...context({ runAsUser: 0 }), securityContext: { runAsUser: 0 } },
      'runAsUser=0 (pod and container "a" must not set runAsUser=0)',
    ],
    [
      spec({
        volumes: [
          { name: 'v', hostPath: {} },
          { name: 'n', nfs: {} },
          { name: 's', secret: {} },
        ],
      }),
      'restricted volume types (volumes "v", "n" use restricted volume types "hostPath", "nfs")',
    ],
    [
      { ...context({ procMount: 'Unmasked' }), hostUsers: false },
      'procMount (container "a" must not set securityContext.procMount to "Unmasked")',
    ],
    [
      {
        ...context({ seccompProfile: undefined }),
        securityContext: { seccompProfile: { type: 'Localhost' } },
      },
      '',
    ],
  ] as const) {
    it(`${expected === '' ? `lets through ${JSON.stringify(pod)}` : `says ${expected.slice(0, 80)}`}${minor === undefined ? '' : ` in v1.${minor}`}`, () => {
      assert.equal(check('restricted', pod, minor), expected);
    });
  }
});

describe('the labels of a namespace', () => {
  const PREFIX = 'pod-security.kubernetes.io/';
  const read = (labels: Readonly<Record<string, string>>) => {
    const whole = Object.fromEntries(Object.entries(labels).map(([key, value]) => [PREFIX + key, value]));
    const { policy, errors } = securityPolicyOf(whole);
    return {
      policy: [policy.enforce, policy.audit, policy.warn].map(levelText).join(' '),
      errors: errors.map(({ field, detail }) => `${field}: ${detail}`),
    };
  };
  for (const [labels, policy, ...errors] of [
    [{}, 'privileged:latest privileged:latest privileged:latest'],
    [{ enforce: 'baseline', 'enforce-version': 'v1.25' }, 'baseline:v1.25 privileged:latest baseline:v1.25'],
    [{ enforce: 'baseline', warn: 'privileged' }, 'baseline:latest privileged:latest privileged:latest'],
    [
      { enforce: 'restricted', 'warn-version': 'v1.3' },
      'restricted:latest privileged:latest restricted:v1.3',
    ],
    [
      { enforce: 'x', audit: 'y', warn: 'z', 'audit-version': '1.2' },
      'restricted:latest privileged:latest privileged:latest',
      `metadata.labels[${PREFIX}enforce]: must be one of privileged, baseline, restricted`,
      `metadata.labels[${PREFIX}audit]: must be one of privileged, baseline, restricted`,
      `metadata.labels[${PREFIX}audit-version]: must be "latest" or "v1.x"`,
      `metadata.labels[${PREFIX}warn]: must be one of privileged, baseline, restricted`,
    ],
  ] as const) {
    it(`${JSON.stringify(labels)} say ${policy}`, () => {
      assert.deepEqual(read(labels as Readonly<Record<string, string>>), { policy, errors });
    });
  }
});

describe('pod security in the server', () => {
  let server: ApiServer;
  let annotations: Record<string, string> = {};
  before(async () => {
    const sink = {
      write(line: string) {
        annotations = { ...(JSON.parse(line) as AuditEvent).annotations };
      },
      close: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
    server = new ApiServer({ store: createMemoryStore(), audit: { sink } });
    await server.ready();
  });
  after(() => server.close());
  const call = (method: 'POST' | 'PUT' | 'GET', path: string, body?: Fields): Promise<ApiResponse> =>
    server.transport().request({ method, path, ...(body !== undefined && { body }) });
  const namespace = async (name: string, labels: Fields): Promise<ApiResponse> => {
    const answer = await call('POST', '/api/v1/namespaces', { metadata: { name, labels } });
    if (answer.status === 201)
      await call('POST', `/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
    return answer;
  };
  const podSpec = (securityContext: Fields = {}): Fields => ({
    containers: [{ name: 'c', image: 'i', securityContext }],
  });
  const pod = (name: string, securityContext?: Fields): Fields => ({
    metadata: { name },
    spec: podSpec(securityContext),
  });

  it('refuses a pod, and only warns of what makes pods', async () => {
    await namespace('base', { 'pod-security.kubernetes.io/enforce': 'baseline' });
    const refused = await call('POST', '/api/v1/namespaces/base/pods', pod('a', { privileged: true }));
    assert.equal(refused.status, 403);
    assert.equal(
      (refused.body as Status).message,
      'pods "a" is forbidden: violates PodSecurity "baseline:latest": privileged (container "c" must not set securityContext.privileged=true)',
    );
    assert.equal(annotations['pod-security.kubernetes.io/enforce-policy'], 'baseline:latest');
    assert.equal((await call('POST', '/api/v1/namespaces/base/pods', pod('a'))).status, 201);
    const deployed = await call('POST', '/apis/apps/v1/namespaces/base/deployments', {
      metadata: { name: 'd' },
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: podSpec({ privileged: true }) },
      },
    });
    assert.equal(deployed.status, 201, JSON.stringify(deployed.body));
    assert.match(
      deployed.headers['warning'] ?? '',
      /would violate PodSecurity \\"baseline:latest\\": privileged \(container \\"c\\"/,
    );
  });

  it('warns and logs where that is all that is asked', async () => {
    await namespace('soft', {
      'pod-security.kubernetes.io/warn': 'baseline',
      'pod-security.kubernetes.io/audit': 'baseline',
    });
    const answer = await call('POST', '/api/v1/namespaces/soft/pods', pod('a', { privileged: true }));
    assert.equal(answer.status, 201);
    assert.match(answer.headers['warning'] ?? '', /would violate PodSecurity/);
    assert.match(
      annotations['pod-security.kubernetes.io/audit-violations'] ?? '',
      /^would violate PodSecurity "baseline:latest": privileged \(/,
    );
  });

  it('leaves a pod alone of which nothing changes that counts', async () => {
    await namespace('late', {});
    const path = '/api/v1/namespaces/late';
    const made = await call('POST', `${path}/pods`, pod('a', { privileged: true }));
    const stricter = {
      metadata: { name: 'late', labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } },
    };
    const answer = await call('PUT', path, stricter);
    assert.equal(answer.status, 200);
    assert.equal(
      answer.headers['warning'],
      '299 - "existing pods in namespace \\"late\\" violate the new PodSecurity enforce level \\"baseline:latest\\"", 299 - "a: privileged"',
    );
    const stored = structuredClone(made.body) as { metadata: { labels?: object; resourceVersion?: string } };
    stored.metadata.labels = { x: 'y' };
    assert.equal((await call('PUT', `${path}/pods/a`, stored as unknown as Fields)).status, 200);
    const changed = structuredClone(made.body) as {
      metadata: object;
      spec: { containers: { image: string }[] };
    };
    for (const container of changed.spec.containers) container.image = 'other';
    assert.equal((await call('PUT', `${path}/pods/a`, { ...changed, metadata: { name: 'a' } })).status, 403);
  });

  it('refuses labels that say nothing', async () => {
    const answer = await namespace('bad', { 'pod-security.kubernetes.io/enforce': 'strict' });
    assert.equal(answer.status, 422);
    assert.equal(
      (answer.body as Status).message,
      'Namespace "bad" is invalid: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "strict": must be one of privileged, baseline, restricted',
    );
  });
});
