import { createHash } from 'node:crypto';
import type { BlockDevice } from './block-device.ts';

/**
 * Names a device in the state that it was seen in: `8:16$…`. Whatever changes between looking and formatting, also
 * its name or a mount, makes it another id, and an order that was given for the old one is refused.
 */
export function deviceId(device: BlockDevice, nodeName: string): string {
  const facts: Record<string, string> = {
    cdrom: String(device.cdrom),
    dmname: device.dmName,
    hidden: String(device.hidden),
    holders: device.holders.toSorted().join(','),
    majorminor: device.majorMinor,
    mountpoints: device.mountPoints.toSorted().join(','),
    name: device.name,
    node: nodeName,
    partitioned: String(device.partitioned),
    readonly: String(device.readOnly),
    removable: String(device.removable),
    size: String(device.size),
    swapon: String(device.swapOn),
    udevdata: Object.entries(device.udevData)
      .map(([key, value]) => `${key}=${value}`)
      .toSorted()
      .join(';'),
  };
  const text = Object.keys(facts)
    .toSorted()
    .map((key) => `${key}:${facts[key]}`)
    .join('\n');
  return `${device.majorMinor}$${createHash('sha256').update(text).digest('base64')}`;
}

/** The `major:minor` of an id; undefined where it is none. */
export function majorMinorOfId(id: string): string | undefined {
  return /^(\d+:\d+)\$.+$/.exec(id)?.[1];
}
