import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuditOutcome, outcomeOf } from './audit-signatures.ts';

const rows: [what: string, stdout: string, stderr: string, outcome: AuditOutcome][] = [
  ['all is signed', '{"invalid":[],"missing":[]}', '', { is: 'verified' }],
  [
    'something is not right',
    '{"invalid":[{"name":"a","version":"1.0.0"}],"missing":[{"name":"b","version":"2.0.0"}]}',
    '',
    {
      is: 'bad',
      problems: [
        "a 1.0.0 has a signature that is not its registry's",
        'b 2.0.0 has no signature, though its registry signs',
      ],
    },
  ],
  [
    'there is no network',
    '{"error":{"code":"ENOTFOUND","summary":"getaddrinfo ENOTFOUND keys.example"}}',
    'npm error code ENOTFOUND',
    { is: 'not-checked', reason: 'getaddrinfo ENOTFOUND keys.example' },
  ],
  [
    'the registry has no keys',
    '',
    'npm warn x\nnpm error found no dependencies to audit that were installed from a supported registry\n',
    {
      is: 'not-checked',
      reason: 'found no dependencies to audit that were installed from a supported registry',
    },
  ],
  ['npm says nothing', '', '', { is: 'not-checked', reason: 'npm printed no result' }],
  [
    'npm says something new',
    '{"fine":true}',
    '',
    { is: 'not-checked', reason: 'npm printed a result that this lane does not know' },
  ],
];
for (const [what, stdout, stderr, outcome] of rows)
  test(`when ${what}`, () => {
    assert.deepEqual(outcomeOf(stdout, stderr), outcome);
  });
