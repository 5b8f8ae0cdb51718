import { CredentialError } from '../errors.ts';

export interface PluginCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether the plugin gets our standard input. */
  readonly interactive: boolean;
  readonly installHint?: string;
}

/** Far more than any credential needs; a plugin that prints more has gone wrong. */
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/**
 * Runs a credential plugin, without a shell, and resolves with what it printed. What it writes to
 * standard error goes to ours: that is where it talks to people, and no error repeats it.
 */
export async function runPlugin(call: PluginCall): Promise<string> {
  const { spawn } = await import('node:child_process');
  return new Promise((resolve, reject) => {
    const child = spawn(call.command, call.args, {
      env: { ...call.env },
      stdio: [call.interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
      windowsHide: true,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) child.kill();
      else chunks.push(chunk);
    });
    child.on('error', (cause) => reject(startError(call, cause)));
    child.on('close', (code, signal) => {
      if (size > MAX_OUTPUT_BYTES) {
        reject(failed(call, `printed more than ${MAX_OUTPUT_BYTES} bytes`));
      } else if (code !== 0) {
        reject(failed(call, signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`));
      } else resolve(Buffer.concat(chunks).toString('utf8'));
    });
  });
}

function failed(call: PluginCall, problem: string): CredentialError {
  return new CredentialError(`the credential plugin ${call.command} ${problem}`, { code: 'EXEC_FAILED' });
}

function startError(call: PluginCall, cause: Error): CredentialError {
  const missing = 'code' in cause && cause.code === 'ENOENT';
  const hint = call.installHint === undefined ? '' : `\n${call.installHint}`;
  return missing
    ? new CredentialError(
        `the credential plugin ${call.command} is not installed or not in PATH; the kubeconfig's user needs it to log in${hint}`,
        { code: 'EXEC_NOT_FOUND', cause },
      )
    : new CredentialError(`the credential plugin ${call.command} could not be started: ${cause.message}`, {
        code: 'EXEC_FAILED',
        cause,
      });
}
