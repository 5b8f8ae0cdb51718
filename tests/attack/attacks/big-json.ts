import { ANSWER_WITHIN_MS, type Attack } from '../attack.ts';
import { BIG_JSON } from '../bodies.ts';
import { ATTACK_NAMESPACE } from '../people.ts';

const BASE = `/api/v1/namespaces/${ATTACK_NAMESPACE}`;
const KINDS = ['configmaps', 'pods', 'secrets'] as const;
/** All warnings together, in characters, as upstream cuts them; each has a few more around it. */
const MAX_WARNING_CHARACTERS = 4096;
const AROUND_WARNINGS = 2048;

/** JSON of every shape and of nearly the largest size. */
export const bigJson: Attack = {
  name: 'big-json',
  summary:
    'sends 3 MB of JSON: deep, wide, unknown fields, labels, owners, finalizers, managers, numbers, blanks',
  async start(stage, signal) {
    const { writer, powerless } = stage.people;
    const found: string[] = [];
    for (const [shape, make] of Object.entries(BIG_JSON)) {
      if (signal.aborted) break;
      const body = make();
      const caller = stage.caller(writer);
      for (const kind of KINDS) {
        if (signal.aborted) break;
        const { status, headers, ms } = await caller.ask({ method: 'POST', path: `${BASE}/${kind}`, body });
        const warnings = [headers['warning'] ?? []].flat().join(',').length;
        if (warnings > MAX_WARNING_CHARACTERS + AROUND_WARNINGS)
          found.push(`the answer to ${shape} in ${kind} has ${warnings} characters of warnings`);
        // More than the limit may be refused by hanging up.
        if (status === 0 && shape !== 'too much' && !signal.aborted)
          found.push(`${shape} in ${kind} got no answer`);
        if (ms > ANSWER_WITHIN_MS) found.push(`${shape} in ${kind} took ${ms.toFixed(0)} ms`);
        if (status === 201)
          await caller.ask({
            method: 'PATCH',
            path: `${BASE}/${kind}/big`,
            headers: { 'content-type': 'application/merge-patch+json' },
            body: { metadata: { finalizers: null, labels: { changed: 'yes' } } },
          });
        await caller.ask({ method: 'DELETE', path: `${BASE}/${kind}/big?gracePeriodSeconds=0` });
      }
      caller.close();
      const refused = await stage.caller(powerless).ask({ method: 'POST', path: `${BASE}/configmaps`, body });
      if (refused.status !== 403 && refused.status !== 429 && !(refused.status === 0 && shape === 'too much'))
        found.push(`${shape} by powerless answered ${refused.status}, not 403`);
    }
    return found;
  },
};
