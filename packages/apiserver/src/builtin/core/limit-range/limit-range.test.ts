// Which amounts of a limit range go together, and what those mean that are left out (ValidateLimitRange and
// SetDefaults_LimitRangeItem of Kubernetes 1.36).
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LimitRange } from '@windlass/apimachinery/api/core/v1';
import { inDefault, type Json, KindApi, testRefusals } from '../../testing/kind-api.ts';

const api = new KindApi();
const RANGES = inDefault('limitranges');
const limit = (fields: Json): Json => ({ spec: { limits: [{ type: 'Container', ...fields }] } });

describe('a limit of containers', () => {
  const at = 'spec.limits[0]';
  testRefusals(api, RANGES, limit, [
    [
      'goes from the least over the request and the limit to the most',
      { min: { cpu: '1' }, defaultRequest: { cpu: '2' }, default: { cpu: '3' }, max: { cpu: '4' } },
      [],
    ],
    [
      'may say the same four times',
      { min: { cpu: '1' }, defaultRequest: { cpu: '1' }, default: { cpu: '1' }, max: { cpu: '1' } },
      [],
    ],
    [
      'has a request between the least and the most',
      { min: { cpu: '2' }, defaultRequest: { cpu: '1' } },
      [`${at}.defaultRequest[cpu]: Invalid value: "1": min value 2 is greater than default request value 1`],
    ],
    [
      'has no request above its limit',
      { defaultRequest: { cpu: '2' }, default: { cpu: '1' } },
      [
        `${at}.defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than default limit value 1`,
      ],
    ],
    [
      'has no limit above the most',
      { default: { cpu: '2' }, max: { cpu: '1' } },
      [
        `${at}.default[cpu]: Invalid value: "1": default value 2 is greater than max value 1`,
        `${at}.defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1`,
      ],
    ],
    [
      'has a ratio of at least one',
      { maxLimitRequestRatio: { cpu: '500m' } },
      [`${at}.maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1`],
    ],
    [
      'may have the ratio of its most to its least',
      { min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '2' } },
      [],
    ],
    [
      'has no ratio that its most and its least do not allow',
      { min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '2500m' } },
      [
        `${at}.maxLimitRequestRatio[cpu]: Invalid value: "2500m": ratio 2500m is greater than max/min = 2.000000`,
      ],
    ],
    [
      'may be of huge pages',
      { default: { 'hugepages-2Mi': '2Mi' }, defaultRequest: { 'hugepages-2Mi': '2Mi' } },
      [],
    ],
    [
      'promises no more huge pages than it requests',
      { default: { 'hugepages-2Mi': '4Mi' }, defaultRequest: { 'hugepages-2Mi': '2Mi' } },
      [
        `${at}.defaultRequest[hugepages-2Mi]: Invalid value: "2Mi": default value 4Mi must equal to defaultRequest value 2Mi in hugepages-2Mi`,
      ],
    ],
  ]);
});

describe('the defaults of a limit', () => {
  const rows: readonly (readonly [rule: string, limit: Json, defaulted: Json])[] = [
    [
      'are the most for the limit, and that for the request',
      { type: 'Container', max: { cpu: '2' } },
      { default: { cpu: '2' }, defaultRequest: { cpu: '2' } },
    ],
    [
      'are the least for the request',
      { type: 'Container', min: { cpu: '1' } },
      { defaultRequest: { cpu: '1' } },
    ],
    [
      'leave what is said',
      { type: 'Container', max: { cpu: '4' }, default: { cpu: '3' }, defaultRequest: { cpu: '2' } },
      { default: { cpu: '3' }, defaultRequest: { cpu: '2' } },
    ],
    ['are none for a pod', { type: 'Pod', max: { cpu: '2' } }, {}],
    ['are none for a claim', { type: 'PersistentVolumeClaim', max: { storage: '2Gi' } }, {}],
  ];
  for (const [rule, given, defaulted] of rows)
    it(rule, async () => {
      const range = await api.defaulted<LimitRange>(RANGES, { spec: { limits: [given] } });
      assert.deepEqual(range.spec?.limits, [{ ...given, ...defaulted }]);
    });
});
