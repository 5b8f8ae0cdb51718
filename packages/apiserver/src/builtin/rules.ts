import type { KindRules, RulesByKind } from './kind-rules.ts';

/** The rules of every built-in kind that has any of its own. */
export function builtinRules(): RulesByKind {
  return new Map<string, KindRules>([]);
}
