import { byteLength, isPrintable } from '../../text/go-text.ts';

/** In bytes. */
const MAX_MANAGER_NAME = 128;

/** Who writes: the `fieldManager` that was given, or what stands before the first `/` of the user agent. */
export function managerName(fieldManager: string | undefined, userAgent: string | undefined): string {
  if (fieldManager !== undefined && fieldManager !== '') return fieldManager;
  const [program = ''] = (userAgent ?? '').split('/');
  let name = '';
  for (const character of program) {
    if (!isPrintable(character)) continue;
    if (byteLength(name) + byteLength(character) > MAX_MANAGER_NAME) break;
    name += character;
  }
  return name;
}
