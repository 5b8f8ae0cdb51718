import type { KubeObject } from '@windlass/apimachinery';
import type { Endpoints } from '@windlass/apimachinery/api/core/v1';
import type { Random } from '@windlass/base';
import type { SharingServers } from '../store.ts';
import { asText } from './contents.ts';
import type { EtcdClient } from './etcd-client.ts';
import { leaseId } from './event-leases.ts';
import { rangeEnd } from './keys.ts';
import { decodeValue, encodeValue } from './values.ts';

/** What nobody renews for so long goes. */
const TTL_SECONDS = 15;

/** The addresses of the servers on an etcd, where those of Kubernetes have theirs. */
export class ServerLeases implements SharingServers {
  readonly #client: EtcdClient;
  readonly #prefix: string;
  readonly #random: Random;
  #generation = 0;

  constructor(client: EtcdClient, prefix: string, random: Random) {
    this.#client = client;
    this.#prefix = `${prefix}/masterleases/`;
    this.#random = random;
  }

  async announce(address: string): Promise<void> {
    const { ID: lease } = await this.#client.read('making a lease', (etcd) =>
      etcd.leaseGrant({ TTL: TTL_SECONDS, ID: leaseId(this.#random) }),
    );
    const endpoints: Endpoints & KubeObject = {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { generation: ++this.#generation },
      subsets: [{ addresses: [{ ip: address }] }],
    };
    const key = Buffer.from(this.#prefix + address);
    await this.#client.read('announcing the server', (etcd) =>
      etcd.txn({ success: [{ requestPut: { key, value: encodeValue(endpoints), lease } }] }),
    );
  }

  async withdraw(address: string): Promise<void> {
    const key = Buffer.from(this.#prefix + address);
    await this.#client.read('withdrawing the server', (etcd) =>
      etcd.txn({ success: [{ requestDeleteRange: { key } }] }),
    );
  }

  async list(): Promise<string[]> {
    const key = Buffer.from(this.#prefix);
    const { kvs } = await this.#client.read('looking for the other servers', (etcd) =>
      etcd.range({ key, rangeEnd: rangeEnd(key) }),
    );
    // The key may be shortened, as upstream's addresses of IPv6 are; what stands there is not.
    return kvs.flatMap((pair) => {
      // Nothing else is kept there.
      const { subsets } = decodeValue(pair.value, pair.modRevision) as Endpoints;
      return [subsets?.[0]?.addresses?.[0]?.ip ?? asText(pair.key).slice(this.#prefix.length)];
    });
  }
}
