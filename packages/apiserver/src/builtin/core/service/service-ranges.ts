import { isConditionTrue } from '@windlass/apimachinery';
import { ServiceCIDR } from '@windlass/apimachinery/api/networking/v1';
import type { Store } from '../../../storage/store.ts';
import { listOfKind } from '../../../storage/stored-kinds.ts';
import { type AddressBlock, findAddressBlock } from './address-block.ts';

/** The ServiceCIDR that every cluster has, of the range that the server was started with. */
export const DEFAULT_SERVICE_CIDR = 'kubernetes';

/**
 * The blocks of which services get addresses now: those of all ServiceCIDRs that are ready and not being deleted.
 * The default one comes first, then the others by name; a block that several have comes once.
 */
export async function readyBlocks(store: Pick<Store, 'list'>): Promise<readonly AddressBlock[]> {
  const all = await listOfKind(store, ServiceCIDR);
  const isDefault = ({ metadata }: (typeof all)[number]): boolean => metadata?.name === DEFAULT_SERVICE_CIDR;
  const ready = all.filter(
    ({ metadata, status }) =>
      metadata?.deletionTimestamp === undefined && isConditionTrue(status?.conditions, 'Ready'),
  );
  const cidrs = [...ready.filter(isDefault), ...ready.filter((one) => !isDefault(one))].flatMap(
    ({ spec }) => spec?.cidrs ?? [],
  );
  return [...new Set(cidrs)].map(findAddressBlock).filter((block) => block !== undefined);
}
