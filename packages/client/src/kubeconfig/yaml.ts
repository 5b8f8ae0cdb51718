import { DecodeError, decodeYaml } from '@windlass/apimachinery';
import { KubeconfigError } from '../errors.ts';

/**
 * YAML or JSON to a value. No message quotes the text, which holds keys and tokens; that is also why the
 * decoder's own error, which may, is neither repeated nor kept as the cause.
 */
export function parseYaml(text: string, file: string): unknown {
  try {
    return decodeYaml(text).value;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { line, column } = error;
    const place = line === undefined ? '' : ` at line ${line}, column ${column ?? 1}`;
    throw new KubeconfigError(`is not valid YAML${place}`, { file }, { code: 'KUBECONFIG_SYNTAX' });
  }
}
