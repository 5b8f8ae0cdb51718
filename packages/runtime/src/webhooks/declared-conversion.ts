import {
  apiVersionOf,
  type DeepReadonly,
  type KubeObject,
  type ResourceType,
  type Served,
} from '@windlass/apimachinery';
import { InvalidArgumentError } from '@windlass/base';
import { type Convert, type HubConversion, throughHub } from './conversion.ts';

/** From and to the hub. Metadata that is not returned stays as it was; `apiVersion` and `kind` are set. */
export interface Conversions<
  Hub extends KubeObject,
  Spoke extends KubeObject,
  MadeHub extends DeepReadonly<Hub> = DeepReadonly<Hub>,
  MadeSpoke extends DeepReadonly<Spoke> = DeepReadonly<Spoke>,
> {
  readonly toHub: (object: Served<Spoke>) => MadeHub;
  /** What the other version cannot hold must be kept, in an annotation for example, or an update of it is lost. */
  readonly fromHub: (object: Served<Hub>) => MadeSpoke;
}

/** How one version of a kind is converted from and to the hub, made by `convert`. */
export interface ConversionWebhook {
  readonly webhook: 'conversion';
  /** Where it is served, with the other versions of the kind. */
  readonly path: string;
  /** The version that all others are converted through. */
  readonly type: ResourceType;
  readonly spoke: ResourceType;
  readonly toHub: (object: KubeObject) => KubeObject;
  readonly fromHub: (object: KubeObject) => KubeObject;
}

/**
 * Converts between two versions of a kind. Of more than two, one is the hub, usually the one that is stored, and each
 * other has its own `convert`.
 */
export function convert<
  Hub extends KubeObject,
  Spoke extends KubeObject,
  // Constant, so that a text that must be one of a few is not taken for any text.
  const MadeHub extends DeepReadonly<Hub>,
  const MadeSpoke extends DeepReadonly<Spoke>,
>(
  hub: ResourceType<Hub>,
  spoke: ResourceType<Spoke>,
  conversions: Conversions<NoInfer<Hub>, NoInfer<Spoke>, MadeHub, MadeSpoke>,
): ConversionWebhook {
  if (hub.group !== spoke.group || hub.kind !== spoke.kind || hub.plural !== spoke.plural)
    throw new InvalidArgumentError('spoke', titleOf(spoke), `another version of ${titleOf(hub)}`);
  if (hub.version === spoke.version)
    throw new InvalidArgumentError('spoke', titleOf(spoke), 'another version than the hub');
  const { group, plural } = hub;
  return {
    webhook: 'conversion',
    path: `/convert/${group}/${plural}`,
    type: hub,
    spoke,
    // The object's apiVersion says which type it has.
    toHub: (object) => completed(object, conversions.toHub(object as Served<Spoke>)),
    // As above.
    fromHub: (object) => completed(object, conversions.fromHub(object as Served<Hub>)),
  };
}

/** All conversions of one kind as one function. */
export function conversionOf(webhooks: readonly [ConversionWebhook, ...ConversionWebhook[]]): Convert {
  const [{ type }] = webhooks;
  const spokes: Record<string, HubConversion<KubeObject>['spokes'][string]> = {};
  for (const { type: hub, spoke, toHub, fromHub } of webhooks) {
    const version = apiVersionOf(spoke);
    if (hub.version !== type.version)
      throw new InvalidArgumentError('hub', titleOf(hub), `the same for all versions: ${titleOf(type)}`);
    if (spokes[version] !== undefined)
      throw new InvalidArgumentError('spoke', titleOf(spoke), 'converted once');
    spokes[version] = { toHub, fromHub };
  }
  return throughHub({ hub: apiVersionOf(type), spokes });
}

function completed({ kind, metadata }: KubeObject, made: DeepReadonly<KubeObject>): KubeObject {
  const { labels, annotations } = made.metadata ?? {};
  return {
    ...made,
    ...(kind !== undefined && { kind }),
    // API servers let a webhook change labels and annotations, and nothing else of the metadata.
    metadata: {
      ...metadata,
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
    },
  };
}

const titleOf = (type: ResourceType): string => `${apiVersionOf(type)} ${type.kind}`;
