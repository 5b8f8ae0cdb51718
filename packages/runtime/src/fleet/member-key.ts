import { InvalidArgumentError } from '@windlass/base';

/** Between the name of a cluster and the key of an object in it. No key has it. */
const SEPARATOR = '|';
const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,251}[A-Za-z0-9])?$/;

/** A key of a queue that has the objects of many clusters. */
export function memberKey(cluster: string, key: string): string {
  return `${cluster}${SEPARATOR}${key}`;
}

export function splitMemberKey(key: string): readonly [cluster: string, key: string] {
  const at = key.indexOf(SEPARATOR);
  return [key.slice(0, at), key.slice(at + 1)];
}

/** @throws InvalidArgumentError for a name that cannot be told apart from its keys, or be a label */
export function checkedName(name: string): string {
  if (!NAME.test(name))
    throw new InvalidArgumentError(
      'the name of a cluster',
      name,
      'at most 253 letters, digits and - _ . with a letter or digit at both ends',
    );
  return name;
}
