import { UsageError } from '../command-line/exit.ts';

/** What a new project and the things in it are called. */
export interface ProjectNames {
  /** Of the folder, the package, the account and the namespace. */
  readonly name: string;
  readonly group: string;
  readonly kind: string;
}

export interface GivenNames {
  readonly name: string;
  /** @default example.com */
  readonly group: string | undefined;
  /** @default from the name: `backup-operator` is about `Backup` */
  readonly kind: string | undefined;
}

const NAME = /^[a-z]([-a-z0-9]{0,48}[a-z0-9])?$/;
export const GROUP = /^([a-z0-9]([-a-z0-9]*[a-z0-9])?\.)+[a-z]([-a-z0-9]*[a-z0-9])?$/;
export const KIND = /^[A-Z][A-Za-z0-9]{0,49}$/;

/** Names that the project's own code imports. */
export const TAKEN_KINDS = new Set([
  'Cached',
  'ConditionValue',
  'CustomResourceDefinition',
  'Deployment',
  'Manager',
  'TestCluster',
  'Webhook',
]);

/** @throws UsageError that says which name is wrong, and how it should be */
export function projectNames({ name, group = 'example.com', kind = kindOf(name) }: GivenNames): ProjectNames {
  if (!NAME.test(name))
    throw new UsageError(
      `NAME must be lower-case letters, digits and dashes, such as backup-operator, but it is "${name}"`,
    );
  if (!GROUP.test(group))
    throw new UsageError(`--group must be a domain, such as example.com, but it is "${group}"`);
  if (!KIND.test(kind))
    throw new UsageError(`--kind must be a name in CamelCase, such as Backup, but it is "${kind}"`);
  if (TAKEN_KINDS.has(kind))
    throw new UsageError(`the project itself uses the name ${kind}; choose another with --kind`);
  return { name, group, kind };
}

function kindOf(name: string): string {
  return name
    .replace(/-(?:operator|controller)$/, '')
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}
