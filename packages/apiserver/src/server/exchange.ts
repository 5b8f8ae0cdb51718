import type { ApiRequest, RawWatchEvent } from '@windlass/apimachinery';
import type { UserInfo } from '../access/user.ts';
import type { StoredObject } from '../storage/store.ts';

/** A request of which it is known who asks. HTTP and in-process calls both become this. */
export interface ServerRequest extends ApiRequest {
  readonly user: UserInfo;
  /** For audit: where it came from. */
  readonly sourceAddress?: string;
  /** What the request is called in the audit log; one is made when there is none. */
  readonly auditId?: string;
}

/**
 * An answer before it is put into bytes. The front negotiates its form (JSON, YAML, protobuf, table,
 * metadata only); in process it is handed over as it is.
 */
export type ServerResponse =
  | {
      readonly type: 'object';
      readonly status: number;
      readonly headers?: Headers;
      readonly object: unknown;
      readonly stored?: StoredObject;
    }
  | { readonly type: 'list'; readonly status: 200; readonly headers?: Headers; readonly list: ServerList }
  | {
      readonly type: 'watch';
      readonly status: 200;
      readonly headers?: Headers;
      readonly events: AsyncIterable<readonly ServerWatchEvent[]>;
    }
  | {
      readonly type: 'bytes';
      readonly status: number;
      readonly headers?: Headers;
      readonly contentType: string;
      readonly body: Uint8Array | string;
    };

type Headers = Readonly<Record<string, string>>;

/**
 * An event on its way out. Watchers of the same thing that keep up get the same arrays of them, so that
 * whoever puts them into bytes can do it once for all.
 */
export interface ServerWatchEvent extends RawWatchEvent {
  /** Its bytes are at hand. Absent when the object is not served as it is stored. */
  readonly stored?: StoredObject;
}

/** A list whose items may still be in the store's form, with their bytes at hand. */
export interface ServerList {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly { readonly object: unknown; readonly stored?: StoredObject }[];
}
