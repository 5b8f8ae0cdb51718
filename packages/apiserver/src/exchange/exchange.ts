import type { ApiRequest, DeepReadonly, KubeObject, RawWatchEvent } from '@windlass/apimachinery';
import type { UserInfo } from '../access/user.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { ConnectAnswer } from '../resource/connect.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Stored } from '../resource/strategy.ts';
import type { StoredObject } from '../storage/store.ts';

/** A request of which it is known who asks. HTTP and in-process calls both become this. */
export interface ServerRequest extends ApiRequest {
  readonly user: UserInfo;
  /** What its method and URL ask for, when that has been read off already. */
  readonly info?: RequestInfo;
  /**
   * Takes the seats that the request needs at its priority level, as `user`, who may be impersonated. The server calls it
   * before it authorises. Undefined when they are there at once. Callers in the same process need none.
   * @throws StatusError 429 when there are none to be had
   */
  readonly takeSeats?: (user: UserInfo) => Promise<void> | undefined;
  /** Called when a watch has told all that there was when it began. */
  readonly onWatchBegun?: () => void;
  /**
   * Reads the body, in place of `body`. The server calls it only after the caller was authorised and the resource was
   * found, so that a caller without rights cannot make the server wait for a body.
   */
  readonly readBody?: () => Promise<Uint8Array | undefined>;
  /** Reads the body as it arrives, in place of `body`: for requests that are handed on. */
  readonly openBody?: () => AsyncIterable<Uint8Array>;
  /** Whether the connection can be given another protocol, as the headers ask for. */
  readonly isUpgrade?: boolean;
  /** For audit: where it came from. */
  readonly sourceAddress?: string;
  /** What the request is called in the audit log; one is made when there is none. */
  readonly auditId?: string;
}

/**
 * An answer before it is put into bytes. The front negotiates its form (JSON, YAML, protobuf, table,
 * metadata only); in process it is handed over as it is.
 */
export type ServerResponse = ServerAnswer & {
  /** The resource in whose forms it can be given: tables, metadata, protobuf. Undefined where there is none. */
  readonly definition?: ResourceDefinition;
};

type ServerAnswer =
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
    }
  | Extract<ConnectAnswer, { type: 'stream' | 'upgrade' }>;

type Headers = Readonly<Record<string, string>>;

/**
 * An event on its way out. Watchers of the same thing that keep up get the same arrays of them, so that
 * whoever puts them into bytes can do it once for all.
 */
export interface ServerWatchEvent extends RawWatchEvent {
  /** Of ERROR a Status, of BOOKMARK what there is in every object, else the object itself. */
  readonly object: Stored;
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
    /** The shard that was asked for. */
    readonly shardInfo?: { readonly selector: string };
  };
  /** As they are stored, or in another version's form. A long list costs no more than its references. */
  readonly items: readonly (StoredObject | { readonly object: DeepReadonly<KubeObject> })[];
}
