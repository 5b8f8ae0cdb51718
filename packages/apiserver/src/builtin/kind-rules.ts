import type { RequestContext } from '../request/context.ts';
import type { SubresourceDefinition, SubresourceHandler, TablePrinter } from '../resource/definition.ts';
import type { Draft, Stored, Strategy } from '../resource/strategy.ts';
import type { KindValidation } from './shared/kind-validation.ts';

/**
 * All that is special about one built-in kind. Whatever is absent is as for every kind. `D` is how its rules see an
 * object that is on its way into the store, `S` how they see any other.
 */
export interface KindRules<D = Draft, S = Stored> {
  readonly strategy?: Omit<Strategy<D, S>, 'setDefaults'>;
  /** Fills in what the client left out. Must give the same result when applied twice. */
  readonly defaults?: (draft: D) => void;
  /** All that is wrong with an object. Of kinds without it, only what their schema says is checked. */
  readonly validation?: KindValidation<S>;
  /**
   * Finalizers need no domain, as those of custom resources.
   * @default false
   */
  readonly anyFinalizers?: boolean;
  /** How `kubectl get` shows the kind. Default: its name and age. */
  readonly printer?: TablePrinter<S>;
  /** What field selectors may ask for besides name and namespace, by path. */
  readonly selectableFields?: Readonly<Record<string, (object: S) => string>>;
  /** Handlers of subresources that are neither `status` nor `scale`, by name. Those without one are not served. */
  readonly subresources?: Readonly<Record<string, SubresourceHandler | SubresourceDefinition['form']>>;
  /** For kinds that are asked, not stored. */
  readonly review?: (draft: D, context: RequestContext) => Promise<object>;
  /** When two group versions show the same objects: where they are kept, and how one becomes the other. */
  readonly storage?: StorageRules<D, S>;
}

export interface StorageRules<D = Draft, S = Stored> {
  readonly group: string;
  readonly plural: string;
  readonly version: string;
  readonly convertFromStorage?: (object: Stored) => S;
  readonly convertToStorage?: (draft: D) => Draft;
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
