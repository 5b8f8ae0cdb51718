import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The link that stands for a folder whose path is too long. Its name follows from where it leads. */
export function shortLinkTo(folder: string): string {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12);
  return join(tmpdir(), `windlass-${name}`);
}
