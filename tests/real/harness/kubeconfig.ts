// The kubeconfig of a test cluster: one cluster, and a context for each way to prove who one is.
import type { KeyPair } from './certificates.ts';

export interface KubeconfigInput {
  readonly server: string;
  readonly ca: string;
  readonly caFile: string;
  readonly admin: KeyPair;
  readonly user: KeyPair;
  readonly adminToken: string;
  readonly userToken: string;
}

/** Contexts: `admin` (the current one), `admin-files`, `admin-token`, `user`, `user-token`, `nobody`. */
export function kubeconfigYaml(input: KubeconfigInput): string {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const users: Readonly<Record<string, readonly string[]>> = {
    admin: inline(input.admin),
    'admin-files': [`client-certificate: ${input.admin.certFile}`, `client-key: ${input.admin.keyFile}`],
    'admin-token': [`token: ${input.adminToken}`],
    user: inline(input.user),
    'user-token': [`token: ${input.userToken}`],
    nobody: [],
  };
  const context = (name: string): string =>
    `- name: ${name}\n  context:\n    cluster: ${name === 'admin-files' ? 'real-files' : 'real'}\n    user: ${name}\n`;
  const user = (name: string, lines: readonly string[]): string =>
    lines.length === 0
      ? `- name: ${name}\n  user: {}\n`
      : `- name: ${name}\n  user:\n${lines.map((line) => `    ${line}\n`).join('')}`;
  return [
    'apiVersion: v1\nkind: Config\ncurrent-context: admin\npreferences: {}\nclusters:\n',
    `- name: real\n  cluster:\n    server: ${input.server}\n`,
    `    certificate-authority-data: ${base64(input.ca)}\n`,
    `- name: real-files\n  cluster:\n    server: ${input.server}\n`,
    `    certificate-authority: ${input.caFile}\n`,
    `contexts:\n${Object.keys(users).map(context).join('')}`,
    `users:\n${Object.entries(users)
      .map(([name, lines]) => user(name, lines))
      .join('')}`,
  ].join('');

  function inline(pair: KeyPair): string[] {
    return [`client-certificate-data: ${base64(pair.cert)}`, `client-key-data: ${base64(pair.key)}`];
  }
}
