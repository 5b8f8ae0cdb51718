import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ServiceSpec } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf, View } from '../../../resource/views.ts';
import { setFamilies } from './ip-families.ts';

interface Row {
  readonly what: string;
  readonly spec: DraftOf<ServiceSpec>;
  readonly old?: View<ServiceSpec>;
  readonly isHeadless?: boolean;
  /** Policy and families, or what is wrong. */
  readonly expected: readonly [string, readonly string[]] | readonly string[];
}

const both = ['IPv4', 'IPv6'];
const selector = { a: 'b' };

const rows: readonly Row[] = [
  { what: 'nothing is said', spec: {}, expected: ['SingleStack', ['IPv4']] },
  {
    what: 'two are liked and there is one',
    spec: { ipFamilyPolicy: 'PreferDualStack' },
    expected: ['PreferDualStack', ['IPv4']],
  },
  {
    what: 'two are demanded',
    spec: { ipFamilyPolicy: 'RequireDualStack', ipFamilies: both },
    expected: [
      'spec.ipFamilyPolicy: this cluster is not configured for dual-stack services',
      'spec.ipFamilies[1]: not configured on this cluster',
    ],
  },
  {
    what: 'the policy before stays',
    spec: {},
    old: { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'] },
    expected: ['PreferDualStack', ['IPv4']],
  },
  {
    what: 'one is asked for and two are named',
    spec: { ipFamilyPolicy: 'SingleStack', ipFamilies: both },
    expected: [
      "spec.ipFamilyPolicy: must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified",
    ],
  },
  {
    what: 'a headless service without a selector has both',
    spec: {},
    isHeadless: true,
    expected: ['RequireDualStack', both],
  },
  {
    what: 'a headless service with a selector has what there is',
    spec: { selector },
    isHeadless: true,
    expected: ['SingleStack', ['IPv4']],
  },
  {
    what: 'a headless service names the second and gets the first',
    spec: { ipFamilies: ['IPv6'] },
    isHeadless: true,
    expected: ['RequireDualStack', ['IPv6', 'IPv4']],
  },
  {
    what: 'a headless service goes from one to two',
    spec: { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'] },
    old: { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] },
    isHeadless: true,
    expected: ['PreferDualStack', both],
  },
  {
    what: 'who liked two, and changes nothing about it, keeps one',
    spec: { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'] },
    old: { ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv4'] },
    isHeadless: true,
    expected: ['PreferDualStack', ['IPv4']],
  },
  {
    what: 'a headless service goes from two to one',
    spec: { ipFamilyPolicy: 'SingleStack', ipFamilies: both },
    old: { ipFamilyPolicy: 'RequireDualStack', ipFamilies: both },
    isHeadless: true,
    expected: ['SingleStack', ['IPv4']],
  },
  {
    what: 'a family is given up without a word',
    spec: { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv4'] },
    old: { ipFamilyPolicy: 'RequireDualStack', ipFamilies: both },
    isHeadless: true,
    expected: ["spec.ipFamilyPolicy: must be 'SingleStack' to release the secondary IP family"],
  },
];

describe('the families of a service', () => {
  for (const { what, spec, old, isHeadless = false, expected } of rows)
    it(what, () => {
      const errors = setFamilies(spec, old, isHeadless);
      assert.deepEqual(
        errors.length === 0
          ? [spec['ipFamilyPolicy'], spec['ipFamilies']]
          : errors.map(({ field, detail }) => `${field}: ${detail}`),
        expected,
      );
    });
});
