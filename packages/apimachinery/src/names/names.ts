// What things may be called. Every function returns what is wrong, in Kubernetes' words; an empty array
// means that nothing is.

import { byteLength } from '../text/go-text.ts';

/** How long a DNS label may be. */
export const DNS1123_LABEL_MAX_LENGTH = 63;
/** How long a DNS subdomain may be. */
export const DNS1123_SUBDOMAIN_MAX_LENGTH = 253;

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const UNDERSCORE_LABEL = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const UNDERSCORE_SUBDOMAIN = `${UNDERSCORE_LABEL}(\\.${UNDERSCORE_LABEL})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const WILDCARD = `\\*\\.${SUBDOMAIN}`;

const LABEL_PATTERN = new RegExp(`^${LABEL}$`);
const SUBDOMAIN_PATTERN = new RegExp(`^${SUBDOMAIN}$`);
const UNDERSCORE_SUBDOMAIN_PATTERN = new RegExp(`^${UNDERSCORE_SUBDOMAIN}$`);
const LABEL_1035_PATTERN = new RegExp(`^${LABEL_1035}$`);
const WILDCARD_PATTERN = new RegExp(`^${WILDCARD}$`);

const LABEL_MESSAGE = regexMessage(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  LABEL,
  ['my-name', '123-abc'],
);
const SUBDOMAIN_MESSAGE = regexMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  SUBDOMAIN,
  ['example.com'],
);
const UNDERSCORE_SUBDOMAIN_MESSAGE = regexMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  UNDERSCORE_SUBDOMAIN,
  ['example.com'],
);
const LABEL_1035_MESSAGE = regexMessage(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  LABEL_1035,
  ['my-name', 'abc-123'],
);
const WILDCARD_MESSAGE = regexMessage(
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
  WILDCARD,
  ['*.example.com'],
);

/** `MESSAGE (e.g. 'a',  or 'b', regex used for validation is 'REGEX')`, odd commas included. */
export function regexMessage(message: string, regex: string, examples: readonly string[] = []): string {
  const used = `regex used for validation is '${regex}')`;
  if (examples.length === 0) return `${message} (${used}`;
  return `${message} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}${used}`;
}

function check(value: string, max: number, pattern: RegExp, message: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > max) problems.push(`must be no more than ${max} characters`);
  if (!pattern.test(value)) problems.push(message);
  return problems;
}

/** One part of a host name: what namespaces are called. */
export function validateDns1123Label(value: string): string[] {
  const problems = check(value, DNS1123_LABEL_MAX_LENGTH, LABEL_PATTERN, LABEL_MESSAGE);
  // A subdomain that is no label has dots: the message may say so.
  if (problems.at(-1) === LABEL_MESSAGE && SUBDOMAIN_PATTERN.test(value))
    problems[problems.length - 1] = 'must not contain dots';
  return problems;
}

/** Labels with dots between: what most objects are called. */
export function validateDns1123Subdomain(value: string): string[] {
  return check(value, DNS1123_SUBDOMAIN_MAX_LENGTH, SUBDOMAIN_PATTERN, SUBDOMAIN_MESSAGE);
}

/** As a subdomain, with underscores. */
export function validateDns1123SubdomainWithUnderscore(value: string): string[] {
  return check(
    value,
    DNS1123_SUBDOMAIN_MAX_LENGTH,
    UNDERSCORE_SUBDOMAIN_PATTERN,
    UNDERSCORE_SUBDOMAIN_MESSAGE,
  );
}

/** A label that starts with a letter: what services are called. */
export function validateDns1035Label(value: string): string[] {
  return check(value, DNS1123_LABEL_MAX_LENGTH, LABEL_1035_PATTERN, LABEL_1035_MESSAGE);
}

/** `*.` and a subdomain. */
export function validateWildcardDns1123Subdomain(value: string): string[] {
  return check(value, DNS1123_SUBDOMAIN_MAX_LENGTH, WILDCARD_PATTERN, WILDCARD_MESSAGE);
}

/** What may stand in a URL's path: what roles are called. The empty one passes. */
export function validatePathSegmentName(value: string): string[] {
  if (value === '.' || value === '..') return [`may not be '${value}'`];
  return validatePathSegmentPrefix(value);
}

/** The same for a beginning that something is appended to. */
export function validatePathSegmentPrefix(value: string): string[] {
  return ['/', '%'].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
}

/**
 * Checks a name, or with `isPrefix` a `generateName` that five characters are appended to and that may
 * therefore end in a dash.
 */
export type NameValidator = (name: string, isPrefix: boolean) => string[];

/** Names that are DNS subdomains, as most kinds have them. */
export const validateSubdomainName: NameValidator = (name, isPrefix) =>
  validateDns1123Subdomain(isPrefix ? withoutTrailingDash(name) : name);

/** Names that are DNS labels, as namespaces have them. */
export const validateLabelName: NameValidator = (name, isPrefix) =>
  validateDns1123Label(isPrefix ? withoutTrailingDash(name) : name);

/** Names that are DNS labels and begin with a letter, as services have them. */
export const validateDns1035Name: NameValidator = (name, isPrefix) =>
  validateDns1035Label(isPrefix ? withoutTrailingDash(name) : name);

/** Names of any form that fits into a URL, as roles have them. */
export const validatePathSegment: NameValidator = (name, isPrefix) =>
  isPrefix ? validatePathSegmentPrefix(name) : validatePathSegmentName(name);

/** It is shorter by one than what it stands for, so that a prefix may be a byte longer than a name. */
function withoutTrailingDash(name: string): string {
  return /[\0-\x7f]-$/.test(name) ? `${name.slice(0, -2)}a` : name;
}
