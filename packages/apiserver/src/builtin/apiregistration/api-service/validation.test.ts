import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorBody } from '@windlass/apimachinery';
import type { APIService } from '@windlass/apimachinery/api/apiregistration/v1';
import { Findings } from '../../shared/findings.ts';
import { apiServiceValidation } from './validation.ts';

const SPEC = { group: 'example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 10 };
const SERVICE = { namespace: 'a', name: 'b', port: 443 };

const rows: readonly [string, Partial<NonNullable<APIService['spec']>>, string, readonly string[]][] = [
  ['a local one', {}, 'v1.example.com', []],
  ['one with a service', { service: SERVICE, caBundle: 'AAAA' }, 'v1.example.com', []],
  [
    'another name',
    {},
    'v2.example.com',
    [
      'metadata.name: Invalid value: "v2.example.com": must be `spec.version+"."+spec.group`: "v1.example.com"',
    ],
  ],
  [
    'priorities out of range',
    { groupPriorityMinimum: 20_001, versionPriority: 0 },
    'v1.example.com',
    [
      'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
      'spec.versionPriority: Invalid value: 0: must be positive and less than 1000',
    ],
  ],
  [
    'TLS without a service',
    { caBundle: 'AAAA', insecureSkipTLSVerify: true },
    'v1.example.com',
    [
      'spec.caBundle: Invalid value: "3 bytes": local APIServices may not have a caBundle',
      'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
    ],
  ],
  [
    'a service without anything',
    { service: { port: 0 } },
    'v1.example.com',
    [
      'spec.service.namespace: Required value',
      'spec.service.name: Required value',
      'spec.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
    ],
  ],
  [
    'a bundle that is not looked at',
    { service: SERVICE, caBundle: 'AAAA', insecureSkipTLSVerify: true },
    'v1.example.com',
    ['spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present'],
  ],
  [
    'no group',
    { group: '', version: 'v2' },
    'v2.',
    ['spec.group: Required value: only v1 may have an empty group and it better be legacy kube'],
  ],
];

for (const [name, spec, objectName, errors] of rows)
  test(`an APIService: ${name}`, () => {
    const findings = new Findings();
    apiServiceValidation.create({ metadata: { name: objectName }, spec: { ...SPEC, ...spec } }, findings);
    assert.deepEqual(
      findings.errors.map((error) => `${error.field}: ${fieldErrorBody(error)}`),
      errors,
    );
  });
