import { parseGoPattern } from './go-pattern.ts';
import { LinearMatcher } from './linear-matcher.ts';
import { nativeMatcher } from './native-matcher.ts';
import type { GoRegexp } from './regexp-matcher.ts';

const compiled = new Map<string, GoRegexp>();
const MAX_KEPT = 1000;
/** What is longer is compiled each time, because a thousand of them would not fit into memory. */
const MAX_KEPT_LENGTH = 4 * 1024;
/** Patterns that people write are a hundredth of this; to compile one of 3 MB takes half a second. */
const MAX_LENGTH = 256 * 1024;

/** @throws SyntaxError with what is wrong, in Go's words */
export function compileGoRegexp(pattern: string): GoRegexp {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  if (pattern.length > MAX_LENGTH)
    throw new SyntaxError(
      `error parsing regexp: expression too large: it has ${pattern.length} characters, ${MAX_LENGTH} are allowed`,
    );
  const node = parseGoPattern(pattern);
  const linear = new LinearMatcher(node, pattern);
  const expression = nativeMatcher(node, linear) ?? linear;
  if (pattern.length > MAX_KEPT_LENGTH) return expression;
  if (compiled.size >= MAX_KEPT) compiled.clear();
  compiled.set(pattern, expression);
  return expression;
}
