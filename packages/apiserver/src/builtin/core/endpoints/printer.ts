import type { Endpoints } from '@windlass/apimachinery/api/core/v1';
import { appendAll } from '@windlass/base';
import type { View } from '../../../resource/views.ts';
import type { PrinterOf } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, listWithMore, NONE, printer } from '../../shared/columns.ts';

const MAX_SHOWN = 3;

export const endpointsPrinter: PrinterOf<Endpoints> = printer(
  [column('Endpoints'), AGE_COLUMN],
  (object, now) => [endpointsText(object), ageOf(object, now)],
);

function endpointsText(object: View<Endpoints>): string {
  const subsets = object.subsets ?? [];
  if (subsets.length === 0) return NONE;
  const all: string[] = [];
  for (const subset of subsets) {
    const addresses = (subset.addresses ?? []).map(({ ip = '' }) => ip);
    const ports = subset.ports ?? [];
    if (ports.length === 0) appendAll(all, addresses);
    for (const { port = 0 } of ports)
      appendAll(
        all,
        addresses.map((ip) => hostPort(ip, port)),
      );
  }
  return listWithMore(all, MAX_SHOWN);
}

function hostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}
