import { ANSWER_WITHIN_MS, type Attack } from '../attack.ts';
import { YAML_BOMBS } from '../bodies.ts';
import { ATTACK_NAMESPACE } from '../people.ts';
import { swarm } from '../swarm.ts';

const MAPS = `/api/v1/namespaces/${ATTACK_NAMESPACE}/configmaps`;

/** YAML that is short to say and long to read, by those who may write and by those who may not. */
export const yamlBombs: Attack = {
  name: 'yaml-bombs',
  summary: 'sends 3 MB of complex keys, aliases, anchors and nesting as YAML, also to apply',
  async start(stage, signal) {
    const { writer, powerless } = stage.people;
    const [mayWrite, mayNot] = [stage.caller(writer), stage.caller(powerless)];
    const found: string[] = [];
    for (const [shape, make] of Object.entries(YAML_BOMBS)) {
      if (signal.aborted) break;
      const body = make();
      const post = { method: 'POST', path: MAPS, headers: { 'content-type': 'application/yaml' }, body };
      const apply = {
        method: 'PATCH',
        path: `${MAPS}/bomb?fieldManager=attack`,
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body,
      };
      const told = async (who: string, ask: typeof post, caller = mayWrite): Promise<void> => {
        const { status, ms } = await caller.ask(ask);
        if (ms > ANSWER_WITHIN_MS || (status === 0 && !signal.aborted))
          found.push(
            `${ask.method} of ${shape} by ${who} ${status === 0 ? 'got no answer' : `took ${ms.toFixed(0)} ms`}`,
          );
      };
      await told('writer', post);
      await told('writer', apply);
      await told('powerless', post, mayNot);
      // Some at once are no dearer to each other than one by one.
      await swarm(stage.size(0, 4), 4, signal, () => mayWrite.ask(post));
    }
    return found;
  },
};
