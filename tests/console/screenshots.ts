// Where the lane keeps what the pages looked like.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const SCREENSHOTS = fileURLToPath(new URL('../../dist/console-screenshots', import.meta.url));

export function screenshotFile(name: string): string {
  return join(SCREENSHOTS, `${name}.png`);
}
