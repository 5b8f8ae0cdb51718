// What the lesser things in objects may be called. Every function returns what is wrong, in Kubernetes'
// words; an empty array means that nothing is.

import { appendAll } from '@windlass/base';
import { byteLength } from '../text/go-text.ts';
import { DNS1123_SUBDOMAIN_MAX_LENGTH, regexMessage } from './names.ts';

const C_IDENTIFIER = '[A-Za-z_][A-Za-z0-9_]*';
const PERCENT = '[0-9]+%';
const HTTP_HEADER = '[-A-Za-z0-9]+';
const ENV_VAR = '[-._a-zA-Z][-._a-zA-Z0-9]*';
const CONFIG_KEY = '[-._a-zA-Z0-9]+';

function check(value: string, pattern: string, message: string, examples: readonly string[]): string[] {
  return new RegExp(`^${pattern}$`).test(value) ? [] : [regexMessage(message, pattern, examples)];
}

/** A container's port: at most 15 of a-z, 0-9 and single hyphens, with a letter among them. */
export function validatePortName(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > 15) problems.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(value))
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  if (!/[a-z]/.test(value)) problems.push('must contain at least one letter (a-z)');
  if (value.includes('--')) problems.push('must not contain consecutive hyphens');
  if (value.startsWith('-') || value.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

/** What is wrong with the number of a port; empty when nothing is. */
export function validatePortNumber(port: number): string[] {
  return validateInRange(port, 1, 65_535);
}

/** Both bounds belong to the range. */
export function validateInRange(value: number, min: number, max: number): string[] {
  return value >= min && value <= max ? [] : [`must be between ${min} and ${max}, inclusive`];
}

/** What is wrong with an identifier of C; empty when nothing is. */
export function validateCIdentifier(value: string): string[] {
  const message =
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'";
  return check(value, C_IDENTIFIER, message, ['my_name', 'MY_NAME', 'MyName']);
}

/** What is wrong with a percentage such as `25%`; empty when nothing is. */
export function validatePercent(value: string): string[] {
  const message = "a valid percent string must be a numeric string followed by an ending '%'";
  return check(value, PERCENT, message, ['1%', '93%']);
}

/** What is wrong with the name of an HTTP header; empty when nothing is. */
export function validateHttpHeaderName(value: string): string[] {
  const message = "a valid HTTP header must consist of alphanumeric characters or '-'";
  return check(value, HTTP_HEADER, message, ['X-Header-Name']);
}

/** The old rule. New clusters go by `validateRelaxedEnvVarName`. */
export function validateEnvVarName(value: string): string[] {
  const message =
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit";
  const problems = check(value, ENV_VAR, message, ['my.env-name', 'MY_ENV.NAME', 'MyEnvName1']);
  return [...problems, ...dotProblems(value)];
}

/** What is wrong with the name of an environment variable; empty when nothing is. */
export function validateRelaxedEnvVarName(value: string): string[] {
  if (value === '') return ['environment variable name must be non-empty'];
  return /^[ -<>-~]*$/.test(value)
    ? []
    : ["a valid environment variable name must consist only of printable ASCII characters other than '='"];
}

/** A key of a ConfigMap or a Secret: it becomes the name of a file. */
export function validateConfigMapKey(value: string): string[] {
  const problems: string[] = [];
  if (byteLength(value) > DNS1123_SUBDOMAIN_MAX_LENGTH)
    problems.push(`must be no more than ${DNS1123_SUBDOMAIN_MAX_LENGTH} characters`);
  const message = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'";
  appendAll(problems, check(value, CONFIG_KEY, message, ['key.name', 'KEY_NAME', 'key-name']));
  return [...problems, ...dotProblems(value)];
}

function dotProblems(value: string): string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : [];
}

/** A whole number as people write it: no leading zero, no plus, no minus zero. */
export function validateDecimalInteger(value: string): string[] {
  if (value === '') return ['must be non-empty'];
  return /^(0|-?[1-9][0-9]*)$/.test(value) ? [] : ['must be a valid decimal integer in canonical form'];
}
