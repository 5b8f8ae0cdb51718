// What labels may be called and hold. Every function returns what is wrong, in Kubernetes' words; an
// empty array means that nothing is.

import { appendAll } from '@windlass/base';
import { byteLength } from '../text/go-text.ts';
import { DNS1123_SUBDOMAIN_MAX_LENGTH, regexMessage, validateDns1123Subdomain } from './names.ts';

const MAX_LENGTH = 63;

const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const VALUE = `(${NAME})?`;
const NAME_PATTERN = new RegExp(`^${NAME}$`);
const VALUE_PATTERN = new RegExp(`^${VALUE}$`);

const NAME_MESSAGE = regexMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  NAME,
  ['MyName', 'my.name', '123-abc'],
);
const VALUE_MESSAGE = regexMessage(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  VALUE,
  ['MyValue', 'my_value', '12345'],
);

/** A label's key: `app`, `example.com/app`. Annotations, finalizers and conditions are named so too. */
export function validateQualifiedName(value: string): string[] {
  const parts = value.split('/');
  if (parts.length > 2)
    return [
      `a valid label key ${NAME_MESSAGE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  const problems: string[] = [];
  const name = parts.at(-1) ?? '';
  const prefix = parts.length === 2 ? parts[0] : undefined;
  if (prefix === '') problems.push('prefix part must be non-empty');
  else if (prefix !== undefined) appendAll(problems, prefixProblems(prefix));
  if (name === '') problems.push('name part must be non-empty');
  else if (byteLength(name) > MAX_LENGTH) problems.push(`name part must be no more than ${MAX_LENGTH} bytes`);
  if (!NAME_PATTERN.test(name)) problems.push(`name part ${NAME_MESSAGE}`);
  return problems;
}

/** Here, unlike elsewhere, the length is said to be in bytes. */
function prefixProblems(prefix: string): string[] {
  const tooLong = `must be no more than ${DNS1123_SUBDOMAIN_MAX_LENGTH} characters`;
  return validateDns1123Subdomain(prefix).map((problem) =>
    problem === tooLong
      ? `prefix part must be no more than ${DNS1123_SUBDOMAIN_MAX_LENGTH} bytes`
      : `prefix part ${problem}`,
  );
}

/** What is wrong with the value of a label; empty when nothing is. */
export function validateLabelValue(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > MAX_LENGTH) problems.push(`must be no more than ${MAX_LENGTH} bytes`);
  if (!VALUE_PATTERN.test(value)) problems.push(VALUE_MESSAGE);
  return problems;
}
