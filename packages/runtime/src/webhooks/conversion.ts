import { type DeepReadonly, deepCopy, type KubeObject } from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import { toldOf } from './findings.ts';

/** What an API server asks: the request of a ConversionReview, apiextensions.k8s.io/v1. */
export interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly DeepReadonly<KubeObject>[];
}

export interface ConversionResponse {
  readonly uid: string;
  readonly result: { readonly status: 'Success' | 'Failure'; readonly message?: string };
  readonly convertedObjects: readonly unknown[];
}

/**
 * Makes an object of one version into one of another. The copy that it is given may be changed. The name,
 * the namespace and the uid must stay.
 */
export type Convert = (object: KubeObject, to: string) => KubeObject | PromiseLike<KubeObject>;

/** Converts between all versions of a kind through one of them, the hub. */
export interface HubConversion<Hub extends KubeObject> {
  /** The version that all others are converted through: `example.com/v2`. */
  readonly hub: string;
  /** From and to the hub, by apiVersion. */
  readonly spokes: Readonly<
    Record<
      string,
      { readonly toHub: (object: KubeObject) => Hub; readonly fromHub: (object: Hub) => KubeObject }
    >
  >;
}

/** Conversion through one version, so that n versions need 2(n-1) functions and not n². */
export function throughHub<Hub extends KubeObject>({ hub, spokes }: HubConversion<Hub>): Convert {
  return (object, to) => {
    const from = object.apiVersion ?? '';
    const spokeOf = (version: string) => {
      const spoke = spokes[version];
      if (spoke === undefined)
        throw new TypeError(
          `there is no conversion for ${version}; there is ${[hub, ...Object.keys(spokes)].join(', ')}`,
        );
      return spoke;
    };
    // An object of the hub's version is a Hub.
    const middle = from === hub ? (object as Hub) : { ...spokeOf(from).toHub(object), apiVersion: hub };
    return to === hub ? middle : { ...spokeOf(to).fromHub(middle), apiVersion: to };
  };
}

/** All or nothing: one object that cannot be converted fails the request, and is named. */
export async function convertAll(request: ConversionRequest, convert: Convert): Promise<ConversionResponse> {
  const { uid, desiredAPIVersion, objects } = request;
  const convertedObjects: unknown[] = [];
  for (const object of objects) {
    try {
      if (object.apiVersion === desiredAPIVersion) convertedObjects.push(object);
      else convertedObjects.push(await convert(deepCopy(object), desiredAPIVersion));
    } catch (thrown) {
      const { kind, metadata } = object;
      const what = `${kind ?? 'object'} ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
      const message = `${what} cannot be converted from ${object.apiVersion} to ${desiredAPIVersion}: ${toldOf(toError(thrown))}`;
      return { uid, result: { status: 'Failure', message }, convertedObjects: [] };
    }
  }
  return { uid, result: { status: 'Success' }, convertedObjects };
}
