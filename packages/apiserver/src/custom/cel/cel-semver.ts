import type { Declarations } from './language/declarations.ts';

const NUMBER = '(0|[1-9][0-9]*)';
const PART = '(?:0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)';
const VERSION = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${PART}(?:\\.${PART})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);
/** No version is longer, and a longer text is not looked at. */
const MAX_LENGTH = 256;

/** A version as semver.org has it. */
export class Semver {
  readonly numbers: readonly bigint[];
  readonly before: readonly string[];

  constructor(text: string) {
    const match = text.length > MAX_LENGTH ? null : VERSION.exec(text);
    if (match === null) throw new Error(`semver parse error: ${JSON.stringify(text)} is no version`);
    this.numbers = [match[1], match[2], match[3]].map((part) => BigInt(part ?? '0'));
    this.before = match[4] === undefined ? [] : match[4].split('.');
  }

  compareTo(other: Semver): number {
    for (const [index, number] of this.numbers.entries()) {
      const theirs = other.numbers[index] ?? 0n;
      if (number !== theirs) return number < theirs ? -1 : 1;
    }
    if (this.before.length === 0 || other.before.length === 0)
      return Math.sign(other.before.length - this.before.length);
    for (const [index, part] of this.before.entries()) {
      const theirs = other.before[index];
      if (theirs === undefined) return 1;
      if (part !== theirs) return comparePart(part, theirs);
    }
    return this.before.length < other.before.length ? -1 : 0;
  }
}

/** Numbers come before words, and compare as numbers. */
function comparePart(a: string, b: string): number {
  const isNumber = (text: string): boolean => /^[0-9]+$/.test(text);
  if (isNumber(a) && isNumber(b)) return BigInt(a) < BigInt(b) ? -1 : 1;
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? -1 : 1;
  return a < b ? -1 : 1;
}

/** Also takes `v1.2`, `01.2.3`: as people write versions. */
function normalized(text: string): string {
  const match = /^v?([0-9]+)(?:\.([0-9]+))?(?:\.([0-9]+))?([-+].*)?$/.exec(text.trim().slice(0, MAX_LENGTH));
  if (match === null) return text;
  const numbers = [match[1], match[2], match[3]].map((part) => BigInt(part ?? '0').toString());
  return `${numbers.join('.')}${match[4] ?? ''}`;
}

function isVersion(text: string): boolean {
  return text.length <= MAX_LENGTH && VERSION.test(text);
}

/** `semver("1.2.3")` and what can be done with it. */
export function registerSemverFunctions(env: Declarations): void {
  const type = 'kubernetes.Semver';
  const make = (text: string, isLoose: boolean): Semver => new Semver(isLoose ? normalized(text) : text);
  env
    .declareObject(type, Semver, undefined, (a: Semver, b: Semver) => a.compareTo(b) === 0)
    .function(`semver(string): ${type}`, (text: string) => make(text, false))
    .function(`semver(string, bool): ${type}`, make)
    .function('isSemver(string): bool', isVersion)
    .function('isSemver(string, bool): bool', (text: string, isLoose: boolean) =>
      isVersion(isLoose ? normalized(text) : text),
    )
    .function(`${type}.major(): int`, ({ numbers }: Semver) => numbers[0])
    .function(`${type}.minor(): int`, ({ numbers }: Semver) => numbers[1])
    .function(`${type}.patch(): int`, ({ numbers }: Semver) => numbers[2])
    .function(`${type}.compareTo(${type}): int`, (a: Semver, b: Semver) => BigInt(a.compareTo(b)))
    .function(`${type}.isLessThan(${type}): bool`, (a: Semver, b: Semver) => a.compareTo(b) < 0)
    .function(`${type}.isGreaterThan(${type}): bool`, (a: Semver, b: Semver) => a.compareTo(b) > 0);
}
