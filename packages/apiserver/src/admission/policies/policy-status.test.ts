import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ValidatingAdmissionPolicy } from '@windlass/apimachinery/api/admissionregistration/v1';
import { ApiServer } from '../../api-server.ts';
import { createMemoryStore } from '../../storage/memory-store.ts';

const PATH = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';

let server: ApiServer;
before(() => {
  server = new ApiServer({ store: createMemoryStore() });
});
after(() => server.close());

const rule = (group: string, resources: readonly string[]) => ({
  apiGroups: [group],
  apiVersions: ['v1'],
  operations: ['*'],
  resources,
});

/** The status once it is about the spec as it is now. */
async function statusOf(name: string): Promise<ValidatingAdmissionPolicy['status']> {
  for (let turn = 0; turn < 1000; turn++) {
    const { body } = await server.transport().request({ method: 'GET', path: `${PATH}/${name}` });
    const { metadata, status } = body as ValidatingAdmissionPolicy;
    if (status?.observedGeneration === metadata?.generation) return status;
    await new Promise((next) => setImmediate(next));
  }
  throw new Error(`the status of ${name} was not written`);
}

async function made(name: string, spec: object): Promise<ValidatingAdmissionPolicy['status']> {
  const { status, body } = await server
    .transport()
    .request({ method: 'POST', path: PATH, body: { metadata: { name }, spec } });
  assert.equal(status, 201, JSON.stringify(body));
  return statusOf(name);
}

describe('the status of a policy', () => {
  it('says which fields the kinds that it names do not have', async () => {
    const status = await made('typo', {
      matchConstraints: { resourceRules: [rule('apps', ['statefulsets', 'deployments'])] },
      validations: [
        { expression: 'object.spec.replicas > 1 && object.metadata.labels["a"] == "b"' },
        // A keyword is a field all the same.
        { expression: 'object.metadata.namespace != "a" && object.metadata.__namespace__ != "b"' },
        { expression: 'object.spec.replica > 1', messageExpression: '"only " + object.spec.count' },
        { expression: "object.spec.serviceName == 'x'" },
      ],
    });
    const [first, second, third, ...others] = status?.typeChecking?.expressionWarnings ?? [];
    assert.equal(others.length, 0);
    assert.equal(first?.fieldRef, 'spec.validations[2].expression');
    assert.equal(
      first?.warning,
      [
        "apps/v1, Kind=Deployment: compilation failed: ERROR: <input>:1:12: undefined field 'replica'",
        ' | object.spec.replica > 1',
        ' | ...........^',
        '',
        "apps/v1, Kind=StatefulSet: compilation failed: ERROR: <input>:1:12: undefined field 'replica'",
        ' | object.spec.replica > 1',
        ' | ...........^',
        '',
      ].join('\n'),
    );
    assert.equal(second?.fieldRef, 'spec.validations[2].messageExpression');
    assert.equal(third?.fieldRef, 'spec.validations[3].expression');
    assert.match(third?.warning ?? '', /^apps\/v1, Kind=Deployment: compilation failed: .*serviceName/);
    assert.doesNotMatch(third?.warning ?? '', /StatefulSet/);
  });

  it('says which types do not go together', async () => {
    const status = await made('mixed', {
      matchConstraints: { resourceRules: [rule('apps', ['deployments'])] },
      validations: [{ expression: "object.spec.replicas > '1'" }],
    });
    assert.match(
      status?.typeChecking?.expressionWarnings?.[0]?.warning ?? '',
      /ERROR: <input>:1:22: found no matching overload for '_>_' applied to '\(int, string\)'/,
    );
  });

  it('has nothing to say when all is well, and knows variables and parameters', async () => {
    const status = await made('good', {
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConstraints: { resourceRules: [rule('', ['pods'])] },
      variables: [
        {
          name: 'containers',
          expression: 'object.spec.containers + object.spec.?initContainers.orValue([])',
        },
      ],
      validations: [
        {
          expression:
            'object == null || variables.containers.all(c, c.image.startsWith(params.data["registry"]))',
        },
        {
          expression:
            "oldObject == null || has(object.spec.nodeName) && object.metadata.creationTimestamp < timestamp('2100-01-01T00:00:00Z')",
        },
      ],
    });
    assert.deepEqual(status?.typeChecking, {});
  });

  it('says nothing of kinds that it does not name one by one, and follows changes', async () => {
    const everything = { matchConstraints: { resourceRules: [rule('*', ['*'])] } };
    const status = await made('wide', {
      ...everything,
      validations: [{ expression: 'object.nothing == 1' }],
    });
    assert.deepEqual(status?.typeChecking, {});
    const { body } = await server.transport().request({ method: 'GET', path: `${PATH}/wide` });
    const policy = structuredClone(body) as ValidatingAdmissionPolicy;
    assert.ok(policy.spec?.matchConstraints !== undefined);
    policy.spec.matchConstraints.resourceRules = [{ ...rule('', ['pods']), resources: ['pods'] }];
    await server.transport().request({ method: 'PUT', path: `${PATH}/wide`, body: policy });
    assert.equal((await statusOf('wide'))?.typeChecking?.expressionWarnings?.length, 1);
  });
});
