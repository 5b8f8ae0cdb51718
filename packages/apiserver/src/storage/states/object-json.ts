import { hasTypedForm, type KubeObject, parseWideJson } from '@windlass/apimachinery';

/**
 * An object of the store, or of another thread. One of a custom kind may have whole numbers of 64 bits, which are
 * bigints; one of a built-in kind has numbers, and whoever works with it counts on that.
 * @throws SyntaxError
 */
export function parseObject(text: string): KubeObject | null {
  // What is kept is an object, or null where there is none.
  const object = JSON.parse(text) as KubeObject | null;
  if (hasTypedForm(object?.apiVersion ?? '', object?.kind ?? '')) return object;
  // The same object, with what the numbers were too narrow for.
  return parseWideJson(text, object) as KubeObject | null;
}
