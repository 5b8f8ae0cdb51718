import { Quantity } from '@windlass/apimachinery';
import type { DeviceAttribute, DeviceCapacity } from '@windlass/apimachinery/api/resource/v1';
import { CelEnvironment } from '../../../custom/cel/cel-environment.ts';
import { CelError } from '../../../custom/cel/cel-error.ts';
import { Semver } from '../../../custom/cel/cel-semver.ts';
import { estimateCost } from '../../../custom/cel/estimate/cost-estimate.ts';
import type { View } from '../../../resource/views.ts';
import { deviceSizeAt } from './device-sizes.ts';

/** How many steps a selector may take at one device, by the estimate as well as when it runs. */
export const MAX_SELECTOR_COST = 1_000_000;

/** What a selector looks at. */
export interface SelectableDevice {
  /** Also the domain of the names that have none. */
  readonly driver: string;
  readonly attributes: Readonly<Record<string, View<DeviceAttribute>>>;
  readonly capacity: Readonly<Record<string, View<DeviceCapacity>>>;
  readonly allowMultipleAllocations: boolean;
}

/** A compiled CEL expression over one device. */
export interface CompiledDeviceSelector {
  /** The most steps that it can take at a device of the largest size. */
  readonly maxCost: number;
  /** @throws Error when the expression fails at this device, as for an attribute that it does not have */
  matches(device: SelectableDevice): boolean;
}

/** `device` as expressions know it. */
class DraDevice {
  readonly driver: string;
  readonly attributes: DomainMap;
  readonly capacity: DomainMap;
  readonly allowMultipleAllocations: boolean;

  constructor({ driver, attributes, capacity, allowMultipleAllocations }: SelectableDevice) {
    this.driver = driver;
    this.allowMultipleAllocations = allowMultipleAllocations;
    this.attributes = byDomain(attributes, driver, attributeValue);
    this.capacity = byDomain(capacity, driver, ({ value }) => Quantity.parse(value ?? '0'));
  }
}

const NOTHING: ReadonlyMap<string, unknown> = new Map();

/** A domain that a device does not have is an empty one, so that expressions need not ask for it first. */
class DomainMap extends Map<string, ReadonlyMap<string, unknown>> {
  override get(domain: string): ReadonlyMap<string, unknown> {
    return super.get(domain) ?? NOTHING;
  }
}

/** @throws CelError `compile`, in the words of Kubernetes */
export function compileDeviceSelector(expression: string): CompiledDeviceSelector {
  const program = environment().compile(expression);
  const { type } = program;
  if (type !== 'bool' && type !== 'dyn')
    throw new CelError('compile', `must evaluate to bool or the unknown type, not ${type}`);
  return {
    maxCost: estimateCost(program.checked, deviceSizeAt).max,
    matches(device) {
      const result = program.evaluate({ device: new DraDevice(device) }, { remaining: MAX_SELECTOR_COST });
      if (typeof result !== 'boolean') throw new CelError('evaluate', 'the CEL result is not a bool');
      return result;
    },
  };
}

let shared: CelEnvironment | undefined;

function environment(): CelEnvironment {
  shared ??= CelEnvironment.create()
    .bindings()
    .objectType('kubernetes.DRADevice', DraDevice, {
      driver: 'string',
      attributes: 'map<string, map<string, dyn>>',
      capacity: 'map<string, map<string, kubernetes.Quantity>>',
      allowMultipleAllocations: 'bool',
    })
    .variable('device', 'kubernetes.DRADevice');
  return shared;
}

function byDomain<T>(
  entries: Readonly<Record<string, T>>,
  driver: string,
  valueOf: (entry: T) => unknown,
): DomainMap {
  const domains = new Map<string, Map<string, unknown>>();
  for (const [name, entry] of Object.entries(entries)) {
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    const values = domains.get(domain) ?? new Map<string, unknown>();
    values.set(name.slice(slash + 1), valueOf(entry));
    domains.set(domain, values);
  }
  return new DomainMap(domains);
}

function attributeValue({
  int,
  bool,
  string,
  version,
  ints,
  bools,
  strings,
  versions,
}: View<DeviceAttribute>) {
  if (int !== undefined) return BigInt(int);
  if (bool !== undefined) return bool;
  if (string !== undefined) return string;
  if (version !== undefined) return new Semver(version);
  if (ints?.length) return ints.map(BigInt);
  if (bools?.length) return bools;
  if (strings?.length) return strings;
  if (versions?.length) return versions.map((text) => new Semver(text));
  throw new Error('unsupported attribute value');
}
