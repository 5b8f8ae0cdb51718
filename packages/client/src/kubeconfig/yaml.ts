import { KubeconfigError } from '../errors.ts';

/**
 * YAML or JSON to a value. The parser is loaded only when there is YAML to parse: it costs more than
 * the rest of this package together. No message quotes the text, which holds keys and tokens; that is
 * also why the parser's own error is not kept as the cause.
 */
export async function parseYaml(text: string, file: string): Promise<unknown> {
  if (/^\s*\{/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      // A YAML flow mapping begins the same way.
    }
  }
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { prettyErrors: false, uniqueKeys: false });
  const [error] = document.errors;
  if (error !== undefined) {
    const before = text.slice(0, error.pos[0]).split('\n');
    throw new KubeconfigError(
      `is not valid YAML: ${error.code} at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`,
      { file },
      { code: 'KUBECONFIG_SYNTAX' },
    );
  }
  return document.toJS();
}
