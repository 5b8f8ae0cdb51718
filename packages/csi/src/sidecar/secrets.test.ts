// Which secret a class names, as the external-provisioner reads it (getSecretReference).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isSecretParameter, type SecretReference, secretReference } from './secrets.ts';

const CLAIM = { metadata: { name: 'data', namespace: 'team', annotations: { tier: 'gold' } } };
const P = 'csi.storage.k8s.io/';
const pair = (use: string, name: string, namespace: string) => ({
  [`${P}${use}secret-name`]: name,
  [`${P}${use}secret-namespace`]: namespace,
});

describe('the secret for making a volume', () => {
  const rows: readonly (readonly [
    rule: string,
    parameters: Readonly<Record<string, string>>,
    expected: SecretReference | RegExp | undefined,
  ])[] = [
    ['is none where the class names none', { type: 'ssd' }, undefined],
    ['is none where the class names one for another use', pair('node-stage-', 'a', 'n'), undefined],
    ['is the one that the class names', pair('provisioner-', 'a', 'n'), { name: 'a', namespace: 'n' }],
    ['is the default of the class', pair('', 'a', 'n'), { name: 'a', namespace: 'n' }],
    [
      'is the one that the class names and not the default',
      { ...pair('', 'a', 'n'), ...pair('provisioner-', 'b', 'm') },
      { name: 'b', namespace: 'm' },
    ],
    [
      'may be named as it was once',
      { csiProvisionerSecretName: 'a', csiProvisionerSecretNamespace: 'n' },
      { name: 'a', namespace: 'n' },
    ],
    [
      'is not named in both ways',
      {
        ...pair('provisioner-', 'a', 'n'),
        csiProvisionerSecretName: 'a',
        csiProvisionerSecretNamespace: 'n',
      },
      /the provisioner secret is named twice, with and without csi\.storage\.k8s\.io\//,
    ],
    [
      'has a namespace',
      { [`${P}provisioner-secret-name`]: 'a' },
      /the provisioner secret needs both a name and a namespace/,
    ],
    [
      'has a name',
      { [`${P}provisioner-secret-namespace`]: 'n' },
      /the provisioner secret needs both a name and a namespace/,
    ],
    ['has a name that is not empty', pair('provisioner-', '', 'n'), /needs both a name and a namespace/],
    [
      'may be named after the volume and the claim',
      pair('provisioner-', '${pvc.name}-${pv.name}', '${pvc.namespace}'),
      { name: 'data-pv-1', namespace: 'team' },
    ],
    [
      'may be named after an annotation of the claim',
      pair('provisioner-', "${pvc.annotations['tier']}", 'n'),
      { name: 'gold', namespace: 'n' },
    ],
    [
      'is in no namespace that the owner of the claim could choose',
      pair('provisioner-', 'a', '${pvc.name}'),
      /has the unknown token "pvc\.name"/,
    ],
    [
      'has a name that can be one',
      pair('provisioner-', 'A', 'n'),
      /"A" gives "A", which is no name of a secret/,
    ],
    [
      'is in a namespace that can be one',
      pair('provisioner-', 'a', 'a.b'),
      /gives "a\.b", which is no namespace/,
    ],
  ];
  for (const [rule, parameters, expected] of rows)
    it(rule, () => {
      const find = () => secretReference('provisioner', parameters, 'pv-1', CLAIM);
      if (expected instanceof RegExp) assert.throws(find, expected);
      else assert.deepEqual(find(), expected);
    });

  it('is not named by annotations where they do not count', () => {
    const parameters = pair('provisioner-', "${pvc.annotations['tier']}", 'n');
    assert.throws(
      () => secretReference('provisioner', parameters, 'pv-1', CLAIM, false),
      /has the unknown token/,
    );
  });
});

describe('a parameter of a class', () => {
  for (const [key, isSecret] of [
    [`${P}provisioner-secret-name`, true],
    [`${P}node-expand-secret-namespace`, true],
    [`${P}secret-name`, true],
    [`${P}fstype`, false],
    [`${P}other-secret-name`, false],
    ['provisioner-secret-name', false],
  ] as const)
    it(`${key} ${isSecret ? 'names' : 'does not name'} a secret`, () => {
      assert.equal(isSecretParameter(key), isSecret);
    });
});
