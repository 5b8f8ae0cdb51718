import type { LabelRequirement } from './label-requirement.ts';

type Labels = Readonly<Record<string, string>> | undefined;

/**
 * Whether labels meet all of many requirements. Only those are looked at whose label the object has,
 * so that an object with three labels costs the same whether a client names three labels or three thousand.
 */
export function labelMatcher(requirements: readonly LabelRequirement[]): (labels: Labels) => boolean {
  const all = new Map<string, KeyRequirements>();
  for (const requirement of requirements) {
    const ofKey = all.get(requirement.key) ?? new KeyRequirements();
    ofKey.add(requirement);
    all.set(requirement.key, ofKey);
  }
  const needed = [...all].filter(([, { isNeeded }]) => isNeeded).map(([key]) => key);
  return (labels = {}) =>
    // Names such as `constructor` read as something else than a text when the label is absent.
    needed.every((key) => typeof labels[key] === 'string') &&
    Object.entries(labels).every(([key, value]) => all.get(key)?.allow(key, value) ?? true);
}

/** What is required of one label. */
class KeyRequirements {
  /** Whether the label must be there. */
  isNeeded = false;
  #isForbidden = false;
  #allowed: ReadonlySet<string> | undefined = undefined;
  readonly #excluded = new Set<string>();
  readonly #bounds: LabelRequirement[] = [];

  add(requirement: LabelRequirement): void {
    const { operator, values } = requirement;
    switch (operator) {
      case '!':
        this.#isForbidden = true;
        return;
      case '!=':
      case 'notin':
        for (const value of values) this.#excluded.add(value);
        return;
      case 'exists':
        this.isNeeded = true;
        return;
      case '=':
      case '==':
      case 'in': {
        const before = this.#allowed;
        this.isNeeded = true;
        this.#allowed = new Set(values.filter((value) => before?.has(value) ?? true));
        return;
      }
      case 'gt':
      case 'lt':
        this.isNeeded = true;
        this.#bounds.push(requirement);
        return;
      default:
        operator satisfies never;
    }
  }

  /** Whether the label may be there with this value. */
  allow(key: string, value: string): boolean {
    return (
      !this.#isForbidden &&
      (this.#allowed?.has(value) ?? true) &&
      !this.#excluded.has(value) &&
      this.#bounds.every((bound) => bound.matches({ [key]: value }))
    );
  }
}
