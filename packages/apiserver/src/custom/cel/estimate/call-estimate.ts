import { STEPS_PER_CHARACTER, STEPS_PER_PATTERN_CHARACTER } from '../cel-cost.ts';
import { type CelType, sameType } from '../language/cel-type.ts';
import type { Literal } from '../language/expr.ts';
import { add, fixed, limited, multiply, type Range, scale, UNKNOWN } from './range.ts';

/** An operand, as far as a cost depends on it. */
export interface Operand {
  readonly type: CelType;
  /** Undefined when nothing is known. */
  readonly size: Range | undefined;
  readonly literal: Literal | undefined;
  /** Of a list's items. */
  readonly itemSize: Range;
}

/** What a call costs beyond its operands, and how large its result is where that is known. */
export interface CallEstimate {
  readonly cost: Range;
  readonly size?: Range;
}

const CHECK = 350_000;
const LIST_COST = 10;
const OBJECT_COST = 40;
const FORMAT_PATTERN = 128;
const MAX_FORMAT = 64;
const ONE: CallEstimate = { cost: fixed(1) };
/** The bytes of an address. */
const ADDRESS: Range = { min: 4, max: 16 };

/** What a function of Kubernetes' libraries or CEL's extensions costs; undefined for those of CEL itself. */
export function libraryCost(
  name: string,
  id: string,
  target: Operand | undefined,
  args: readonly Operand[],
): CallEstimate | undefined {
  const [first, second] = args;
  switch (name) {
    case 'check':
      return { cost: fixed(CHECK) };
    case 'fieldSelector':
    case 'labelSelector':
      return first === undefined ? undefined : { cost: selectorCost(sizeOf(first)) };
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return target === undefined ? undefined : { cost: searchCost(target) };
    case 'url':
    case 'jsonpatch.escapeKey':
      return traversed(first, true);
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return traversed(target, true);
    case 'replace':
      return replaceCost(target, first, second);
    case 'split':
      return target === undefined ? undefined : splitCost(target, second);
    case 'join':
      return target === undefined ? undefined : joinCost(target, first);
    case 'find':
    case 'findAll':
      if (target === undefined || first === undefined) return undefined;
      return { cost: patternCost(sizeOf(target), sizeOf(first)), size: { min: 0, max: sizeOf(target).max } };
    case 'ip':
      return id === 'cidr_ip' ? ONE : traversed(first, false);
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return traversed(first, false);
    case 'ip.isCanonical':
      return first === undefined ? undefined : { cost: scale(sizeOf(first), 2 * STEPS_PER_CHARACTER) };
    case 'containsIP':
    case 'containsCIDR':
      return first === undefined ? undefined : { cost: containsCost(name, id, sizeOf(first)) };
    case 'validate':
      if (first === undefined) return undefined;
      return {
        cost: scale(scale(sizeOf(first), STEPS_PER_CHARACTER), FORMAT_PATTERN * STEPS_PER_PATTERN_CHARACTER),
      };
    case '_==_':
      return equalityCost(first, second);
    default:
      return ACCESSORS.has(name) ? ONE : listCost(id, target, args);
  }
}

const ACCESSORS: ReadonlySet<string> = new Set(
  (
    'serviceAccount path group resource subresource namespace name allowed reason error errored ' +
    'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast ' +
    'format.named sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor ' +
    'patch getScheme getHostname getHost getPort getEscapedPath getQuery'
  ).split(' '),
);

function sizeOf({ size }: Operand): Range {
  return size ?? UNKNOWN;
}

function traversed(of: Operand | undefined, isKept: boolean): CallEstimate | undefined {
  if (of === undefined) return undefined;
  const size = sizeOf(of);
  return { cost: scale(size, STEPS_PER_CHARACTER), ...(isKept && { size }) };
}

function selectorCost(length: Range): Range {
  return add(
    fixed(LIST_COST),
    scale(length, STEPS_PER_CHARACTER),
    scale(scale(length, 0.5), LIST_COST + OBJECT_COST),
  );
}

function searchCost(target: Operand): Range {
  if (target.type.parameters.length === 0) return scale(sizeOf(target), STEPS_PER_CHARACTER);
  const kind = target.type.parameters[0]?.kind;
  const item = kind === 'string' || kind === 'bytes' ? scale(target.itemSize, STEPS_PER_CHARACTER) : fixed(0);
  return multiply(sizeOf(target), add(fixed(1), item));
}

export function patternCost(text: Range, pattern: Range): Range {
  return multiply(
    scale(add(text, fixed(1)), STEPS_PER_CHARACTER),
    scale(pattern, STEPS_PER_PATTERN_CHARACTER),
  );
}

function replaceCost(
  target: Operand | undefined,
  from: Operand | undefined,
  to: Operand | undefined,
): CallEstimate | undefined {
  if (target === undefined || from === undefined || to === undefined) return undefined;
  const [text, old, other] = [sizeOf(target), sizeOf(from), sizeOf(to)];
  // The most and the fewest that can be replaced, and what of the text is left.
  const most =
    old.min === 0
      ? { count: limited(text.max + 1), kept: text.max }
      : other.max <= old.min
        ? { count: 0, kept: text.max }
        : { count: Math.ceil(text.max / old.min), kept: 0 };
  const fewest =
    old.max === 0
      ? { count: limited(text.min + 1), kept: text.min }
      : old.max <= other.min
        ? { count: 0, kept: text.min }
        : { count: Math.ceil(text.min / old.max), kept: 0 };
  const size = add(multiply({ min: fewest.count, max: most.count }, other), {
    min: fewest.kept,
    max: most.kept,
  });
  return { cost: scale(text, 2 * STEPS_PER_CHARACTER), size };
}

function splitCost(target: Operand, limit: Operand | undefined): CallEstimate {
  const size = sizeOf(target);
  const max = typeof limit?.literal === 'bigint' ? Number(limit.literal) : size.max;
  return { cost: scale(size, 2 * STEPS_PER_CHARACTER), size: { min: 0, max } };
}

function joinCost(target: Operand, separator: Operand | undefined): CallEstimate {
  const list = sizeOf(target);
  const gaps = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
  const size = add(
    multiply(list, target.itemSize),
    separator === undefined ? fixed(0) : multiply(sizeOf(separator), gaps),
  );
  return { cost: scale(size, STEPS_PER_CHARACTER), size };
}

function containsCost(name: string, id: string, text: Range): Range {
  const compared = scale(add(ADDRESS, ADDRESS), STEPS_PER_CHARACTER);
  const masked = name === 'containsCIDR' ? add(scale(ADDRESS, STEPS_PER_CHARACTER), fixed(1)) : fixed(0);
  const parsed = id.endsWith('_string') ? scale(text, STEPS_PER_CHARACTER) : fixed(0);
  return add(compared, masked, parsed);
}

function equalityCost(a: Operand | undefined, b: Operand | undefined): CallEstimate | undefined {
  if (a === undefined || b === undefined || !sameType(a.type, b.type)) return undefined;
  switch (a.type.name) {
    case 'net.IP':
    case 'net.CIDR':
    case 'kubernetes.Quantity':
    case 'kubernetes.Semver':
      return ONE;
    case 'kubernetes.NamedFormat':
      return { cost: scale({ min: 1, max: MAX_FORMAT }, STEPS_PER_CHARACTER) };
    case 'kubernetes.URL':
      return { cost: scale({ min: 1, max: b.size?.max ?? 1 }, STEPS_PER_CHARACTER) };
    default:
      return a.type.name.startsWith('kubernetes.authorization.') ? ONE : undefined;
  }
}

function listCost(
  id: string,
  target: Operand | undefined,
  args: readonly Operand[],
): CallEstimate | undefined {
  const [first, second] = args;
  const made = (factor: number, size: Range): CallEstimate => ({
    cost: add(scale(size, factor), fixed(1 + LIST_COST)),
    size,
  });
  const whole = (operand: Operand | undefined, otherwise: number): number =>
    typeof operand?.literal === 'bigint' ? Number(operand.literal) : otherwise;
  const size = target === undefined ? UNKNOWN : sizeOf(target);
  const sort = /^list_(\w+)_sort(ByAssociatedKeys)?$/.exec(id);
  if (sort !== null) {
    const sorted = sort[2] === undefined || first === undefined ? size : sizeOf(first);
    const isText = sort[1] === 'string' || sort[1] === 'bytes';
    return made(isText ? 2 + STEPS_PER_CHARACTER : 2, multiply(sorted, sorted));
  }
  switch (id) {
    case 'list_slice':
      return made(1, fixed(Math.max(0, whole(second, size.max) - whole(first, 0))));
    case 'list_flatten':
      return made(1, size);
    case 'list_flatten_int':
      return made(whole(first, UNKNOWN.max), size);
    case 'lists_range':
      return made(1, fixed(whole(first, UNKNOWN.max)));
    case 'list_reverse':
      return made(1, size);
    case 'list_distinct':
      return made(2, multiply(size, size));
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
    case 'list_sets_equivalent_list': {
      if (first === undefined || second === undefined) return undefined;
      const factor = id === 'list_sets_equivalent_list' ? 2 : 1;
      return { cost: add(scale(multiply(sizeOf(first), sizeOf(second)), factor), fixed(1)) };
    }
    default:
      return undefined;
  }
}
