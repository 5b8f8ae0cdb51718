import type { Served } from '@windlass/apimachinery';
import type { Scale } from '@windlass/apimachinery/api/autoscaling/v1';
import type { WriteOptions } from './options.ts';
import type { ResourceContext } from './resource-reader.ts';
import { SubresourceClient } from './subresource-client.ts';

/** How many replicas an object wants and has, the same for every kind that can be scaled. */
export class ScaleClient extends SubresourceClient<Scale> {
  constructor(context: ResourceContext) {
    super(context, 'scale', { group: 'autoscaling', version: 'v1', kind: 'Scale' });
  }

  /** Sets the wanted number, whatever it was. */
  set(name: string, replicas: number, options: WriteOptions = {}): Promise<Served<Scale>> {
    return this.patch(name, { spec: { replicas } }, { ...options, type: 'merge' });
  }
}
