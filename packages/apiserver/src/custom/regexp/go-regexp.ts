import { parseGoPattern } from './go-pattern.ts';
import { LinearMatcher } from './linear-matcher.ts';
import { nativeMatcher } from './native-matcher.ts';
import type { GoRegexp } from './regexp-matcher.ts';

const compiled = new Map<string, GoRegexp>();
const MAX_KEPT = 1000;

/** @throws SyntaxError with what is wrong, in Go's words */
export function compileGoRegexp(pattern: string): GoRegexp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const node = parseGoPattern(pattern);
  const linear = new LinearMatcher(node, pattern);
  const expression = nativeMatcher(node, linear) ?? linear;
  if (compiled.size >= MAX_KEPT) compiled.clear();
  compiled.set(pattern, expression);
  return expression;
}
