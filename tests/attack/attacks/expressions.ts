import { ANSWER_WITHIN_MS, type Attack } from '../attack.ts';
import { define, GROUP, kindOf, undefine } from '../definitions.ts';

const text = { type: 'string' };

/** Patterns that other engines take for ever to refuse, each with a text that makes them. */
const PATTERNS: Readonly<Record<string, readonly [pattern: string, value: string]>> = {
  nested: ['^(a+)+$', `${'a'.repeat(50_000)}!`],
  either: ['^(a|a)*$', `${'a'.repeat(50_000)}!`],
  email: ['^([a-zA-Z0-9_.-]+)*@x$', 'a'.repeat(50_000)],
  counted: ['^(a{1,100}){1,10}$', `${'a'.repeat(5000)}!`],
  dots: ['.*.*.*.*=.*', 'x'.repeat(100_000)],
};

/** Expressions that ask for far more steps than they have characters. */
const RULES: readonly string[] = [
  'self.list.all(a, self.list.all(b, self.list.all(c, a + b + c != "never")))',
  'self.list.map(a, self.list.map(b, a + b)).size() >= 0',
  'self.long.matches("^(a+)+$") || true',
  'self.long.contains(self.long + "x") || true',
  'self.long.replace("a", "aaaaaaaaaa").replace("a", "aaaaaaaaaa").replace("a", "aaaaaaaaaa").size() >= 0',
  'self.long.split("").size() >= 0',
  'self.list.filter(a, self.list.exists_one(b, a == b)).size() >= 0',
];

/** Regular expressions and CEL that are made to be costly. The definition may be refused; nobody may wait for it. */
export const expressions: Attack = {
  name: 'expressions',
  summary: 'defines patterns and CEL rules made to be costly, and sends values that make them so',
  async start(stage, signal) {
    const found: string[] = [];
    const base = {
      list: { type: 'array', items: text },
      long: text,
      ...Object.fromEntries(
        Object.entries(PATTERNS).map(([name, [pattern]]) => [name, { type: 'string', pattern }]),
      ),
    };
    const caller = stage.caller(stage.people.writer);
    for (const rule of [undefined, ...RULES]) {
      if (signal.aborted) break;
      const plural = `rules${stage.random.int(2 ** 31)}`;
      const validations = rule === undefined ? {} : { 'x-kubernetes-validations': [{ rule }] };
      let path: string;
      try {
        path = await define(stage, plural, { type: 'object', properties: base, ...validations }, signal);
      } catch {
        // The estimate of its cost was too high: as it should be.
        continue;
      }
      const spec = {
        list: Array.from({ length: 2000 }, (_, at) => `item-${at}`),
        long: 'a'.repeat(200_000),
        ...(rule === undefined &&
          Object.fromEntries(Object.entries(PATTERNS).map(([name, [, value]]) => [name, value]))),
      };
      const body = {
        apiVersion: `${GROUP}/v1`,
        kind: kindOf(plural),
        metadata: { generateName: 'dear-' },
        spec,
      };
      for (let time = 0; time < 2 && !signal.aborted; time++) {
        const { status, ms } = await caller.ask({ method: 'POST', path, body });
        if (status === 0) found.push(`an object for the rule ${rule ?? 'of patterns'} got no answer`);
        if (ms > ANSWER_WITHIN_MS)
          found.push(`an object for the rule ${rule ?? 'of patterns'} took ${ms.toFixed(0)} ms`);
      }
      await undefine(stage, plural);
    }
    return found;
  },
};
