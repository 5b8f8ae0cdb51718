import { type FieldError, FieldPath, fieldInvalid } from '@windlass/apimachinery';

/** From what lets everything through to what lets least through. */
export const SECURITY_LEVELS = ['privileged', 'baseline', 'restricted'] as const;
export type SecurityLevel = (typeof SECURITY_LEVELS)[number];

/** A level as it was in a version of Kubernetes: 1.MINOR, or the latest. */
export interface LevelVersion {
  readonly level: SecurityLevel;
  readonly minor: number | 'latest';
}

/** What a namespace asks of its pods: what is refused, what is logged, and what is warned of. */
export interface SecurityPolicy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

type Labels = Readonly<Record<string, string>> | undefined;

export const SECURITY_PREFIX = 'pod-security.kubernetes.io/';
const PRIVILEGED: LevelVersion = { level: 'privileged', minor: 'latest' };
const NOTHING_ASKED: SecurityPolicy = { enforce: PRIVILEGED, audit: PRIVILEGED, warn: PRIVILEGED };
const LABELS = FieldPath.of('metadata', 'labels');

/** The policy that a namespace's labels say, and what is wrong with them. There always is one. */
export function securityPolicyOf(labels: Labels): { policy: SecurityPolicy; errors: FieldError[] } {
  // Most namespaces ask for nothing, and every pod asks its namespace.
  if (!Object.keys(labels ?? {}).some((label) => label.startsWith(SECURITY_PREFIX)))
    return { policy: NOTHING_ASKED, errors: [] };
  const errors: FieldError[] = [];
  const wrong = (label: string, value: string, detail: string): void => {
    errors.push(fieldInvalid(LABELS.key(label), value, detail));
  };
  const read = (mode: 'enforce' | 'audit' | 'warn'): LevelVersion & { isGiven: boolean } => {
    const label = `${SECURITY_PREFIX}${mode}`;
    const [text, version] = [labels?.[label], labels?.[`${label}-version`]];
    const known = SECURITY_LEVELS.find((level) => level === text);
    let level: SecurityLevel = known ?? 'privileged';
    if (text !== undefined && known === undefined) {
      wrong(label, text, `must be one of ${SECURITY_LEVELS.join(', ')}`);
      // Refusing is safe; logs and warnings of everything help nobody.
      level = mode === 'enforce' ? 'restricted' : 'privileged';
    }
    let minor: LevelVersion['minor'] = 'latest';
    if (version !== undefined && version !== 'latest') {
      const match = /^v1\.(0|[1-9][0-9]*)$/.exec(version);
      if (match === null) wrong(`${label}-version`, version, 'must be "latest" or "v1.x"');
      else minor = Number(match[1]);
    }
    return { level, minor, isGiven: text !== undefined && known !== undefined };
  };
  const { isGiven, ...enforce } = read('enforce');
  const { isGiven: _, ...audit } = read('audit');
  const { isGiven: __, ...asked } = read('warn');
  let warn: LevelVersion = asked;
  // Who is refused shall be warned before, when pods come by way of something else.
  if (labels?.[`${SECURITY_PREFIX}warn`] === undefined && isGiven && compareLevels(enforce, warn) > 0) {
    const hasVersion = labels?.[`${SECURITY_PREFIX}warn-version`] !== undefined;
    warn = { level: enforce.level, minor: hasVersion ? warn.minor : enforce.minor };
  }
  return { policy: { enforce, audit, warn }, errors };
}

export const isPrivileged = ({ level }: LevelVersion): boolean => level === PRIVILEGED.level;

export function compareLevels(a: LevelVersion, b: LevelVersion): number {
  return SECURITY_LEVELS.indexOf(a.level) - SECURITY_LEVELS.indexOf(b.level);
}

export function isSameLevel(a: LevelVersion, b: LevelVersion): boolean {
  return a.level === b.level && a.minor === b.minor;
}

/** `baseline:v1.30`, `restricted:latest`. */
export function levelText({ level, minor }: LevelVersion): string {
  return `${level}:${minor === 'latest' ? minor : `v1.${minor}`}`;
}
