import type { ControllerDescription } from './controller-description.ts';
import { UnknownControllerError } from './errors.ts';

/**
 * Those that a list names: `*` for all, and `-name` for all but that one. The first entry that names a controller
 * decides.
 *
 * @throws UnknownControllerError
 */
export function selectControllers(
  all: readonly ControllerDescription[],
  list: readonly string[],
): readonly ControllerDescription[] {
  const wanted = list.map((entry) => ({ isWanted: !entry.startsWith('-'), name: entry.replace(/^-/, '') }));
  for (const { name } of wanted)
    if (name !== '*' && !all.some((one) => one.name === name || one.alias === name))
      throw new UnknownControllerError(
        name,
        all.map((one) => one.name),
      );
  const hasStar = wanted.some(({ name, isWanted }) => name === '*' && isWanted);
  return all.filter(
    ({ name, alias }) =>
      wanted.find((entry) => entry.name === name || entry.name === alias)?.isWanted ?? hasStar,
  );
}
