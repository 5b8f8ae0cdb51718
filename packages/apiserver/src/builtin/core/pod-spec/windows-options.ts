import type { FieldPath } from '@windlass/apimachinery';
import type { Container, PodSpec, WindowsSecurityContextOptions } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

const MAX_SPEC_KIB = 64;
const MAX_DOMAIN = 256;
const MAX_USER = 104;
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
const DNS_NAME = new RegExp(`^${DNS_LABEL}(?:\\.${DNS_LABEL})*$`);
const NET_BIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;

/** Who runs a container on Windows. */
export function validateWindowsOptions(
  options: View<WindowsSecurityContextOptions> | undefined,
  path: FieldPath,
  findings: Findings,
): void {
  if (options === undefined) return;
  const { gmsaCredentialSpecName: name, gmsaCredentialSpec: spec, runAsUserName: user } = options;
  if (name !== undefined) findings.subdomain(path.child('gmsaCredentialSpecName'), name);
  if (spec !== undefined) {
    const at = path.child('gmsaCredentialSpec');
    if (spec === '') findings.invalid(at, spec, 'gmsaCredentialSpec cannot be an empty string');
    else if (Buffer.byteLength(spec) > MAX_SPEC_KIB * 1024)
      findings.invalid(at, spec, `gmsaCredentialSpec size must be under ${MAX_SPEC_KIB} KiB`);
  }
  if (user !== undefined)
    for (const problem of userProblems(user)) findings.invalid(path.child('runAsUserName'), user, problem);
}

/** Processes of the host: all containers of a pod are such, or none. */
export function validateHostProcess(spec: View<PodSpec>, path: FieldPath, findings: Findings): void {
  const ofPod = hostProcessOf(spec);
  let [count, all] = [0, 0];
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const)
    for (const [index, container] of (spec[list] ?? []).entries()) {
      const own = hostProcessOf(container);
      all++;
      if (own ?? ofPod ?? false) count++;
      if (own === undefined || ofPod === undefined || own === ofPod) continue;
      findings.invalid(
        path.child(list).index(index).child('securityContext', 'windowsOptions', 'hostProcess'),
        own,
        `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
      );
    }
  if (count === 0) return;
  if (count < all)
    findings.invalid(
      path,
      '',
      'If pod contains any hostProcess containers then all containers must be HostProcess containers',
    );
  if (spec.hostNetwork !== true)
    findings.invalid(
      path.child('hostNetwork'),
      false,
      'hostNetwork must be true if pod contains any hostProcess containers',
    );
}

function hostProcessOf({
  securityContext,
}: View<Pick<Container | PodSpec, 'securityContext'>>): boolean | undefined {
  return securityContext?.windowsOptions?.hostProcess;
}

/** `DOMAIN\user`, or a user alone. */
function userProblems(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (/\p{Cc}/u.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined;
  const problems: string[] = [];
  if (domain !== undefined) {
    if (Buffer.byteLength(domain) >= MAX_DOMAIN)
      problems.push(`runAsUserName's Domain length must be under ${MAX_DOMAIN} characters`);
    if (!NET_BIOS.test(domain) && !DNS_NAME.test(domain))
      problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  if (user === '') problems.push("runAsUserName's User cannot be empty");
  else if (Buffer.byteLength(user) > MAX_USER)
    problems.push(`runAsUserName's User length must not be longer than ${MAX_USER} characters`);
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    problems.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  return problems;
}
