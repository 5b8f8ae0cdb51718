import type { DeepReadonly } from '@windlass/apimachinery';
import type { DeviceAttribute, DeviceConstraint } from '@windlass/apimachinery/api/resource/v1';
import type { Candidate } from './device-pools.ts';

/** What a constraint says of the devices of one claim, while they are chosen one after the other. */
export class ConstraintState {
  readonly #constraint: DeepReadonly<DeviceConstraint>;
  readonly #attribute: string;
  readonly #values: string[] = [];

  constructor(constraint: DeepReadonly<DeviceConstraint>) {
    this.#constraint = constraint;
    this.#attribute = constraint.matchAttribute ?? constraint.distinctAttribute ?? '';
  }

  /**
   * Takes the device in, unless it breaks the constraint.
   *
   * @param request `request` or `request/alternative`
   */
  add(request: string, candidate: Candidate): boolean {
    if (!this.#concerns(request)) return true;
    const attribute = attributeOf(candidate, this.#attribute);
    if (attribute === undefined) return false;
    const value = valueOf(attribute);
    const isSame = this.#values.includes(value);
    const fits =
      this.#constraint.matchAttribute === undefined ? !isSame : isSame || this.#values.length === 0;
    if (fits) this.#values.push(value);
    return fits;
  }

  /** Undoes the last `add` that went well. */
  remove(request: string): void {
    if (this.#concerns(request)) this.#values.pop();
  }

  #concerns(request: string): boolean {
    const requests = this.#constraint.requests ?? [];
    const [parent = ''] = request.split('/');
    return requests.length === 0 || requests.includes(parent) || requests.includes(request);
  }
}

/** Names without a domain are of the driver's. */
function attributeOf(
  { pool: { driver }, device: { attributes = {} } }: Candidate,
  name: string,
): DeepReadonly<DeviceAttribute> | undefined {
  const [domain, id = ''] = name.split('/');
  return attributes[name] ?? (domain === driver ? attributes[id] : undefined);
}

/** Values of different types are never the same. */
function valueOf({ string, int, bool, version }: DeepReadonly<DeviceAttribute>): string {
  return JSON.stringify({ string, int, bool, version });
}
