import { type FieldPath, validateDns1123SubdomainWithUnderscore } from '@windlass/apimachinery';
import type { PodSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import { validateIp } from '../../shared/addresses.ts';
import type { Findings } from '../../shared/findings.ts';

const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 32;
const MAX_SEARCH_CHARACTERS = 2048;

/** How a pod resolves names. */
export function validateDns(
  { dnsConfig: config, dnsPolicy }: View<PodSpec>,
  path: FieldPath,
  findings: Findings,
): void {
  const servers = config?.nameservers ?? [];
  if (dnsPolicy === 'None') {
    if (config === undefined) {
      findings.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None');
      return;
    }
    if (servers.length === 0) {
      findings.required(
        path.child('nameservers'),
        'must provide at least one DNS nameserver when `dnsPolicy` is None',
      );
      return;
    }
  }
  if (servers.length > MAX_NAMESERVERS)
    findings.invalid(
      path.child('nameservers'),
      servers,
      `must not have more than ${MAX_NAMESERVERS} nameservers`,
    );
  for (const [index, server] of servers.entries())
    validateIp(findings, path.child('nameservers').index(index), server);
  validateSearches(config?.searches ?? [], path.child('searches'), findings);
  for (const [index, { name = '' }] of (config?.options ?? []).entries())
    if (name === '') findings.required(path.child('options').index(index), 'must not be empty');
}

function validateSearches(searches: readonly string[], path: FieldPath, findings: Findings): void {
  if (searches.length > MAX_SEARCHES)
    findings.invalid(path, searches, `must not have more than ${MAX_SEARCHES} search paths`);
  if (searches.join(' ').length > MAX_SEARCH_CHARACTERS)
    findings.invalid(
      path,
      searches,
      `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`,
    );
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    const bare = search.replace(/\.$/, '');
    findings.problems(path.index(index), bare, validateDns1123SubdomainWithUnderscore(bare));
  }
}
