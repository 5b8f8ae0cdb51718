import type { RequestContext } from '../request/context.ts';
import type { SubresourceDefinition, SubresourceHandler } from '../resource/definition.ts';
import type { Draft, Stored, Strategy } from '../resource/strategy.ts';

/** All that is special about one built-in kind. Whatever is absent is as for every kind. */
export interface KindRules {
  readonly strategy?: Strategy;
  /** Handlers of subresources that are neither `status` nor `scale`, by name. Those without one are not served. */
  readonly subresources?: Readonly<Record<string, SubresourceHandler | SubresourceDefinition['form']>>;
  /** For kinds that are asked, not stored. */
  readonly review?: (draft: Draft, context: RequestContext) => Promise<object>;
  /** When two group versions show the same objects: where they are kept, and how one becomes the other. */
  readonly storage?: {
    readonly group: string;
    readonly plural: string;
    readonly version: string;
    readonly convertFromStorage?: (object: Stored) => Stored;
    readonly convertToStorage?: (object: Draft) => Draft;
  };
}

/** By `group/version/Kind`, with nothing before the slash for the core group. */
export type RulesByKind = ReadonlyMap<string, KindRules>;

export function kindKey({
  group,
  version,
  kind,
}: {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}): string {
  return `${group}/${version}/${kind}`;
}
