import { formatTime } from '@windlass/apimachinery';
import type { FlowSchemaCondition } from '@windlass/apimachinery/api/flowcontrol/v1';
import type { Reference } from './plan-configuration.ts';

const DANGLING = 'Dangling';

/** The condition that a flow schema should have and has not; undefined when all is as it should be. */
export function danglingCondition(
  { schema, levelName, isDangling }: Reference,
  nowMs: number,
): FlowSchemaCondition | undefined {
  const [status, reason, fact] = isDangling
    ? ['True', 'NotFound', 'but there is no such object']
    : ['False', 'Found', 'and it exists'];
  const message = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(levelName)} ${fact}`;
  const has = schema.status?.conditions?.find(({ type }) => type === DANGLING);
  if (has?.status === status && has.reason === reason && has.message === message) return undefined;
  return { type: DANGLING, status, reason, message, lastTransitionTime: formatTime(nowMs) };
}
