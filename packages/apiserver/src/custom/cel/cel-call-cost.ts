import { STEPS_PER_CHARACTER, STEPS_PER_PATTERN_CHARACTER } from './cel-cost.ts';

const CHECK = 350_000;
const LIST_COST = 10;
const OBJECT_COST = 40;
/** Of the regular expressions of named formats, which are not looked at. */
const FORMAT_PATTERN = 128;

/** How many steps a call takes, as far as its arguments say. */
export function callCost(name: string, id: string, args: readonly unknown[]): number {
  const [first, second] = args;
  switch (name) {
    case 'check':
      return CHECK;
    case 'fieldSelector':
    case 'labelSelector': {
      const length = sizeOf(second);
      return LIST_COST + traversal(length) + Math.ceil(length / 2) * (LIST_COST + OBJECT_COST);
    }
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return treeCost(first);
    case 'url':
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
    case 'jsonpatch.escapeKey':
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
    case 'startsWith':
    case 'endsWith':
    case 'strings.quote':
    case 'format':
      return traversal(sizeOf(first));
    case 'ip':
      return id === 'cidr_ip' ? 1 : traversal(sizeOf(first));
    case 'replace':
    case 'split':
    case 'ip.isCanonical':
      return traversal(sizeOf(first) * 2);
    case 'find':
    case 'findAll':
    case 'matches':
      return patternCost(sizeOf(first), sizeOf(second));
    case 'validate':
      return patternCost(sizeOf(second), FORMAT_PATTERN);
    case 'contains':
      return traversal(sizeOf(first)) * traversal(sizeOf(second));
    case '@in':
      return Array.isArray(second) ? second.length : 1;
    case '_==_':
    case '_!=_':
    case '_<_':
    case '_<=_':
    case '_>_':
    case '_>=_':
      return traversal(Math.min(sizeOf(first), sizeOf(second)));
    case '_+_':
      return typeof first === 'string' || first instanceof Uint8Array
        ? traversal(sizeOf(first) + sizeOf(second))
        : 1;
    case 'sets.contains':
    case 'sets.intersects':
      return 1 + sizeOf(first) * sizeOf(second);
    case 'sets.equivalent':
      return 1 + sizeOf(first) * sizeOf(second) * 2;
    case 'distinct':
    case 'sort':
    case '@sortByAssociatedKeys': {
      const size = sizeOf(first);
      return 1 + LIST_COST + size * size;
    }
    default:
      return id === 'string_to_bytes' || id === 'bytes_to_string' ? traversal(sizeOf(first)) : 1;
  }
}

/** How many steps more it takes, as its result says. */
export function resultCost(name: string, id: string, args: readonly unknown[], result: unknown): number {
  switch (name) {
    case 'join':
      return traversal(sizeOf(result) * 2);
    case 'slice':
    case 'flatten':
    case 'lists.range':
    case 'reverse':
      return LIST_COST + sizeOf(result);
    default:
      return name === '_+_' && id === 'add_list' && args.length === 2
        ? sizeOf(result) * STEPS_PER_CHARACTER
        : 0;
  }
}

function traversal(size: number): number {
  return Math.ceil(size * STEPS_PER_CHARACTER);
}

function patternCost(text: number, pattern: number): number {
  return traversal(1 + text) * Math.ceil(pattern * STEPS_PER_PATTERN_CHARACTER);
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  return value instanceof Map ? value.size : 1;
}

/** Of looking through all that a value is made of. */
function treeCost(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length * STEPS_PER_CHARACTER;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + treeCost(item), 0);
  if (value instanceof Map)
    return [...value].reduce((sum, [key, item]) => sum + treeCost(key) + treeCost(item), 0);
  return 1;
}
