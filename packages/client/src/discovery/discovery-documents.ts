// The documents that discovery is made of, as servers send them. Everything may be absent.
import type { ApiResponse } from '@windlass/apimachinery';

const AGGREGATED_VERSIONS = ['v2', 'v2beta1'] as const;

/** The newest form first; the last is the old one, which every server knows. */
export const DISCOVERY_ACCEPT = [
  ...AGGREGATED_VERSIONS.map((v) => `application/json;g=apidiscovery.k8s.io;v=${v};as=APIGroupDiscoveryList`),
  'application/json',
].join(',');

interface KindReference {
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
}

export interface AggregatedResource {
  readonly resource?: string;
  readonly responseKind?: KindReference | null;
  readonly scope?: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[] | null;
  readonly shortNames?: readonly string[] | null;
  readonly categories?: readonly string[] | null;
  readonly subresources?:
    | readonly {
        readonly subresource?: string;
        readonly responseKind?: KindReference | null;
        readonly verbs?: readonly string[] | null;
      }[]
    | null;
}

export interface AggregatedDiscovery {
  readonly items?:
    | readonly {
        readonly metadata?: { readonly name?: string } | null;
        readonly versions?:
          | readonly {
              readonly version?: string;
              readonly freshness?: string;
              readonly resources?: readonly AggregatedResource[] | null;
            }[]
          | null;
      }[]
    | null;
}

/** `/api` in the old form. */
export interface ApiVersions {
  readonly versions?: readonly string[] | null;
}

/** `/apis` in the old form. */
export interface ApiGroupList {
  readonly groups?:
    | readonly {
        readonly name?: string;
        readonly versions?: readonly { readonly version?: string }[] | null;
        readonly preferredVersion?: { readonly version?: string } | null;
      }[]
    | null;
}

export interface LegacyResource {
  /** Subresources are `deployments/scale`. */
  readonly name?: string;
  readonly singularName?: string;
  readonly namespaced?: boolean;
  readonly kind?: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs?: readonly string[] | null;
  readonly shortNames?: readonly string[] | null;
  readonly categories?: readonly string[] | null;
  readonly storageVersionHash?: string;
}

/** `/apis/apps/v1` in the old form. */
export interface ApiResourceList {
  readonly resources?: readonly LegacyResource[] | null;
}

/**
 * Whether an answer is the aggregated form. Over HTTP the content type says so; in process there is none,
 * and the document's own kind does.
 */
export function isAggregated({ headers, body }: Pick<ApiResponse, 'headers' | 'body'>): boolean {
  const contentType = headers['content-type'];
  if (contentType === undefined) {
    return (
      typeof body === 'object' && body !== null && 'kind' in body && body.kind === 'APIGroupDiscoveryList'
    );
  }
  const parameters = new Set(contentType.split(';').map((part) => part.trim()));
  return (
    parameters.has('application/json') &&
    parameters.has('g=apidiscovery.k8s.io') &&
    parameters.has('as=APIGroupDiscoveryList') &&
    AGGREGATED_VERSIONS.some((version) => parameters.has(`v=${version}`))
  );
}
