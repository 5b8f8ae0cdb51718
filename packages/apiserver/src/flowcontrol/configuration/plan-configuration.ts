import type { FlowSchema, PriorityLevelConfiguration } from '@windlass/apimachinery/api/flowcontrol/v1';
import type { View } from '../../resource/views.ts';
import type { QueuingConfig } from '../queueing/queue-set.ts';
import { MAX_HASH_BITS, requiredEntropyBits } from '../queueing/shuffle-sharding.ts';
import type { LevelShares } from '../seats/concurrency-limits.ts';
import { CATCH_ALL, EXEMPT, MANDATORY_LEVELS, MANDATORY_SCHEMAS } from './default-objects.ts';

export interface LevelPlan extends LevelShares {
  readonly name: string;
  /** Empty for a level that nobody has stored. */
  readonly uid: string;
  readonly queuing: QueuingConfig;
}

export interface SchemaPlan {
  readonly name: string;
  readonly uid: string;
  readonly levelName: string;
  readonly distinguisher: 'ByUser' | 'ByNamespace' | undefined;
  readonly object: View<FlowSchema>;
}

/** What becomes of a flow schema's reference to its level. */
export interface Reference {
  readonly schema: View<FlowSchema>;
  readonly levelName: string;
  readonly isDangling: boolean;
}

export interface ConfigurationPlan {
  readonly levels: readonly LevelPlan[];
  /** In the order in which they are asked. The last one takes every request of everybody. */
  readonly schemas: readonly SchemaPlan[];
  readonly references: readonly Reference[];
  /** The names of levels that cannot be used as they are. */
  readonly broken: readonly string[];
}

/**
 * What the stored objects mean, together. The mandatory ones are there even when nobody has stored them. Schemas whose
 * level is not there do not count.
 */
export function planConfiguration(
  levels: readonly View<PriorityLevelConfiguration>[],
  schemas: readonly View<FlowSchema>[],
): ConfigurationPlan {
  const plans = new Map<string, LevelPlan>();
  const broken: string[] = [];
  for (const level of levels) {
    const plan = levelPlan(level);
    if (plan === undefined) broken.push(level.metadata?.name ?? '');
    else plans.set(plan.name, plan);
  }
  const references = schemas.map((schema): Reference => {
    const levelName = schema.spec?.priorityLevelConfiguration?.name ?? '';
    return { schema, levelName, isDangling: !plans.has(levelName) };
  });
  const usable = references
    .filter(({ isDangling }) => !isDangling)
    .map(({ schema }) => schemaPlan(schema))
    .toSorted(byPrecedence);
  const missing = (name: string): SchemaPlan[] =>
    usable.some((schema) => schema.name === name)
      ? []
      : MANDATORY_SCHEMAS.filter(({ metadata }) => metadata.name === name).map(schemaPlan);
  for (const level of MANDATORY_LEVELS) {
    const plan = levelPlan(level);
    if (plan !== undefined && !plans.has(plan.name)) plans.set(plan.name, plan);
  }
  return {
    levels: [...plans.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    schemas: [...missing(EXEMPT), ...usable, ...missing(CATCH_ALL)],
    references,
    broken,
  };
}

/** Undefined when its parts do not fit together. */
function levelPlan({ metadata, spec }: View<PriorityLevelConfiguration>): LevelPlan | undefined {
  const { name = '', uid = '' } = metadata ?? {};
  const { type, limited, exempt } = spec ?? {};
  if ((type === 'Exempt') !== (name === EXEMPT)) return undefined;
  if (type === 'Exempt')
    return {
      name,
      uid,
      shares: exempt?.nominalConcurrencyShares ?? 0,
      lendablePercent: exempt?.lendablePercent ?? 0,
      borrowingLimitPercent: undefined,
      queuing: { type: 'exempt' },
    };
  const queuing = queuingOf(limited?.limitResponse);
  if (type !== 'Limited' || limited === undefined || queuing === undefined) return undefined;
  return {
    name,
    uid,
    shares: limited.nominalConcurrencyShares ?? DEFAULT_SHARES,
    lendablePercent: limited.lendablePercent ?? 0,
    borrowingLimitPercent: limited.borrowingLimitPercent,
    queuing,
  };
}

const DEFAULT_SHARES = 30;

type LimitResponse = NonNullable<
  NonNullable<NonNullable<View<PriorityLevelConfiguration>['spec']>['limited']>['limitResponse']
>;

function queuingOf(response: LimitResponse | undefined): QueuingConfig | undefined {
  if (response?.type === 'Reject') return { type: 'reject' };
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = response?.queuing ?? {};
  const isPossible =
    handSize > 0 && handSize <= queues && requiredEntropyBits(queues, handSize) <= MAX_HASH_BITS;
  if (response?.type !== 'Queue' || !isPossible) return undefined;
  return { type: 'queue', queues, handSize, queueLengthLimit };
}

function schemaPlan(object: View<FlowSchema>): SchemaPlan {
  const { metadata, spec } = object;
  const method = spec?.distinguisherMethod?.type;
  return {
    name: metadata?.name ?? '',
    uid: metadata?.uid ?? '',
    levelName: spec?.priorityLevelConfiguration?.name ?? '',
    distinguisher: method === 'ByUser' || method === 'ByNamespace' ? method : undefined,
    object,
  };
}

function byPrecedence(a: SchemaPlan, b: SchemaPlan): number {
  const difference = precedenceOf(a) - precedenceOf(b);
  return difference === 0 ? (a.name < b.name ? -1 : 1) : difference;
}

const DEFAULT_PRECEDENCE = 1000;

function precedenceOf({ object }: SchemaPlan): number {
  return object.spec?.matchingPrecedence ?? DEFAULT_PRECEDENCE;
}
