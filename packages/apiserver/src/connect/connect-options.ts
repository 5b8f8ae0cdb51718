// What the query of a request asks for, as the object of CONNECT that admission sees.
import { booleanOf, type Query, textOf } from '../request/query-values.ts';
import type { Draft } from '../resource/strategy.ts';

/** PodExecOptions and PodAttachOptions, which has no command. */
export interface CommandOptions {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
  readonly container: string;
  readonly command: readonly string[];
}

export function execOptions(query: Query): Draft {
  return { kind: 'PodExecOptions', apiVersion: 'v1', ...streams(query), command: valuesOf(query, 'command') };
}

export function attachOptions(query: Query): Draft {
  return { kind: 'PodAttachOptions', apiVersion: 'v1', ...streams(query) };
}

export function portForwardOptions(query: Query): Draft {
  const ports = valuesOf(query, 'ports').flatMap((text) => text.split(',').map(Number));
  return {
    kind: 'PodPortForwardOptions',
    apiVersion: 'v1',
    ...(ports.length > 0 && { ports: ports.filter((port) => Number.isInteger(port)) }),
  };
}

/** @param kind `PodProxyOptions` and the like */
export function proxyOptions(kind: string): (query: Query, rest: string) => Draft {
  return (_query, rest) => ({ kind, apiVersion: 'v1', ...(rest !== '' && { path: rest }) });
}

function streams(query: Query): Record<string, unknown> {
  const container = textOf(query, 'container');
  return {
    ...(['stdin', 'stdout', 'stderr', 'tty'] as const).reduce<Record<string, boolean>>((set, name) => {
      if (booleanOf(query, name) === true) set[name] = true;
      return set;
    }, {}),
    ...(container !== '' && { container }),
  };
}

/** Reads the object again after admission, which may have changed it. */
export function commandOptionsOf(options: Draft | undefined): CommandOptions {
  const { stdin, stdout, stderr, tty, container, command } = options ?? {};
  return {
    stdin: stdin === true,
    stdout: stdout === true,
    stderr: stderr === true,
    tty: tty === true,
    container: typeof container === 'string' ? container : '',
    command: Array.isArray(command) ? command.map(String) : [],
  };
}

/** The query by which a kubelet is asked for it. */
export function commandQuery({ stdin, stdout, stderr, tty, command }: CommandOptions): string {
  const query = new URLSearchParams();
  for (const word of command) query.append('command', word);
  for (const [name, isOn] of Object.entries({ stdin, stdout, stderr, tty }))
    if (isOn) query.append(KUBELET_NAMES[name] ?? name, '1');
  return query.toString();
}

/** A kubelet has older names for the streams. */
const KUBELET_NAMES: Readonly<Record<string, string>> = { stdin: 'input', stdout: 'output', stderr: 'error' };

function valuesOf(query: Query, name: string): string[] {
  const value = query[name];
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : [...value];
}
