import { byCodeUnit } from './files.ts';
import { HAND_WRITTEN, membersOf, type TypeFacts } from './typescript.ts';

/** The release has it, object.ts does not: an alpha feature's answer, which nothing of ours reads. */
const LEFT_OUT: ReadonlySet<string> = new Set(['ListMeta.shardInfo']);

/** How the interfaces of object.ts differ from those that would be generated; empty when they do not. */
export function handWrittenDifferences(source: string, facts: TypeFacts): string[] {
  return [...HAND_WRITTEN].flatMap((name) => {
    const short = name.slice(name.lastIndexOf('.') + 1);
    const body = new RegExp(`export interface ${short} \\{\\n([^}]*(?:\\}[^}\\n]*\\n[^}]*)*?)^\\}`, 'm').exec(
      source,
    );
    const written = memberSet(body?.[1]?.split('\n') ?? []);
    const wanted = memberSet(membersOf(name, facts).map((member) => resolveAliases(member)));
    return [
      ...[...wanted].filter((member) => !written.has(member)).map((member) => [short, member, 'is missing']),
      ...[...written]
        .filter((member) => !wanted.has(member))
        .map((member) => [short, member, 'is not in the API']),
    ]
      .filter(([type, member]) => !LEFT_OUT.has(`${type}.${member?.replace(/\?.*/, '')}`))
      .map(([type, member, what]) => `${type}: "${member}" ${what}`)
      .sort(byCodeUnit);
  });
}

/** Without comments, which are in our own words. */
function memberSet(lines: readonly string[]): Set<string> {
  return new Set(
    lines.map((line) => line.trim()).filter((line) => line !== '' && !/^(?:\/\*|\*)/.test(line)),
  );
}

const resolveAliases = (member: string): string =>
  member.replace(/: (Micro)?Time;/, ': string;').replace(': FieldsV1;', ': { [key: string]: JsonValue };');
