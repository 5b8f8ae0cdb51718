import type { GoRegexp } from './regexp-matcher.ts';
import { type Assertion, canBeEmpty, type RegexpNode } from './regexp-node.ts';

/** Longer texts are left to the linear matcher, even for expressions that are harmless. */
const MAX_TEXT = 2048;
/**
 * So are texts with characters of two code units: V8 stops between the two (`\\B`), and misses matches that are there:
 * `/[^a][^0-9]$/u` finds nothing in "é😀" in Node 26.
 */
const PAIRED = /[\ud800-\udfff]/;

const isLeft = (text: string): boolean => text.length > MAX_TEXT || PAIRED.test(text);

const ASSERTIONS: Readonly<Record<Assertion, string>> = {
  'text-start': '^',
  'text-end': '$',
  'line-start': '(?:^|(?<=\\n))',
  'line-end': '(?:$|(?=\\n))',
  'word-boundary': '\\b',
  'no-word-boundary': '\\B',
};

/**
 * JavaScript's own engine, which is many times faster, for expressions of which it can be seen that they
 * leave it hardly anything to try again. Undefined for all others.
 */
export function nativeMatcher(node: RegexpNode, linear: GoRegexp): GoRegexp | undefined {
  const found: Trials = { repeats: 0, choices: 0 };
  if (!isHarmless(node, false, found)) return undefined;
  if (found.choices > 4 || found.repeats > (isAnchored(node) ? 2 : 1)) return undefined;
  const expression = new RegExp(sourceOf(node), 'gu');
  return {
    test(text) {
      if (isLeft(text)) return linear.test(text);
      expression.lastIndex = 0;
      return expression.test(text);
    },
    find(text, from = 0) {
      if (isLeft(text)) return linear.find(text, from);
      expression.lastIndex = from;
      const match = expression.exec(text);
      return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
    },
  };
}

interface Trials {
  repeats: number;
  choices: number;
}

/** Nothing that can match in several ways is repeated. */
function isHarmless(node: RegexpNode, isRepeated: boolean, found: Trials): boolean {
  switch (node.type) {
    case 'empty':
    case 'assert':
    case 'char':
      return true;
    case 'sequence':
      return !isRepeated && node.parts.every((part) => isHarmless(part, false, found));
    case 'choice':
      found.choices += node.parts.length - 1;
      return !isRepeated && node.parts.every((part) => isHarmless(part, false, found));
    case 'repeat':
      // JavaScript refuses a repetition that matches nothing, and goes on with other ways.
      if (isRepeated || canBeEmpty(node.body)) return false;
      if (node.max === 1) {
        found.choices++;
        return isHarmless(node.body, false, found);
      }
      if (node.min !== node.max) found.repeats++;
      return isHarmless(node.body, true, found);
    default:
      return node satisfies never;
  }
}

function isAnchored(node: RegexpNode): boolean {
  if (node.type === 'assert') return node.kind === 'text-start';
  return node.type === 'sequence' && node.parts[0] !== undefined && isAnchored(node.parts[0]);
}

function sourceOf(node: RegexpNode): string {
  switch (node.type) {
    case 'empty':
      return '(?:)';
    case 'char':
      return node.source;
    case 'assert':
      return ASSERTIONS[node.kind];
    case 'sequence':
      return node.parts
        .map((part) => (part.type === 'choice' ? `(?:${sourceOf(part)})` : sourceOf(part)))
        .join('');
    case 'choice':
      return `(?:${node.parts.map(sourceOf).join('|')})`;
    case 'repeat': {
      const { body, min, max, isGreedy } = node;
      const most = max === Number.POSITIVE_INFINITY ? '' : String(max);
      return `(?:${sourceOf(body)}){${min},${most}}${isGreedy ? '' : '?'}`;
    }
    default:
      return node satisfies never;
  }
}
