// JSON as Go's encoding/json writes it, where programs compare the bytes: revisions of daemon and stateful sets, the
// annotation of client-side apply. JavaScript moves keys such as "10" before all others, so that an object cannot
// carry Go's order to JSON.stringify; these write it themselves.

import { goJson } from '../text/go-text.ts';
import { compareUtf8 } from './go-format.ts';

/** A Go map: keys in the order of their bytes. Fields that are undefined are left out. */
export function goMapJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return goJson(value);
  if (Array.isArray(value)) return `[${value.map(goMapJson).join(',')}]`;
  const fields = new Map(Object.entries(value));
  const texts: string[] = [];
  for (const key of [...fields.keys()].sort(compareUtf8)) {
    const field = fields.get(key);
    if (field !== undefined) texts.push(`${goJson(key)}:${goMapJson(field)}`);
  }
  return `{${texts.join(',')}}`;
}
