import { InvalidSelectorError } from '../errors.ts';
import { compareUtf8 } from '../json/go-format.ts';

/** One term of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

interface FieldValues {
  /** Of several, none can be had. */
  readonly wanted: Set<string>;
  readonly excluded: Set<string>;
}

/** How the matcher reads an object's fields. A field that the object lacks is the empty text. */
export type FieldGetter = (field: string) => string;

/**
 * Which objects are meant, by their fields: `metadata.name=web,status.phase!=Failed`. Immutable. Which
 * fields there are, each kind decides; nothing is checked here.
 */
export class FieldSelector {
  static readonly everything: FieldSelector = new FieldSelector([]);

  /** All of them must hold. */
  readonly requirements: readonly FieldRequirement[];

  /** Each field is read once, however many terms speak of it. */
  readonly #fields: readonly (readonly [field: string, values: FieldValues])[];

  private constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
    const fields = new Map<string, FieldValues>();
    for (const { field, operator, value } of requirements) {
      const values = fields.get(field) ?? { wanted: new Set(), excluded: new Set() };
      values[operator === '=' ? 'wanted' : 'excluded'].add(value);
      fields.set(field, values);
    }
    this.#fields = [...fields];
  }

  static of(...requirements: readonly FieldRequirement[]): FieldSelector {
    return requirements.length === 0 ? FieldSelector.everything : new FieldSelector(requirements);
  }

  /** The text of `?fieldSelector=`. Throws InvalidSelectorError with Kubernetes' words. */
  static parse(text: string): FieldSelector {
    const requirements = splitTerms(text)
      .sort(compareUtf8)
      .filter((term) => term !== '')
      .map((term) => parseTerm(term, text))
      // A term that says nothing about no field is no term.
      .filter(({ field, value }) => field !== '' || value !== '');
    return FieldSelector.of(...requirements);
  }

  /** True for one that selects everything. */
  get isEmpty(): boolean {
    return this.requirements.length === 0;
  }

  matches(getField: FieldGetter): boolean {
    for (const [field, { wanted, excluded }] of this.#fields) {
      const value = getField(field);
      if (excluded.has(value) || (wanted.size > 0 && (wanted.size > 1 || !wanted.has(value)))) return false;
    }
    return true;
  }

  /** The value that the field must have, if there is one: with `metadata.name`, a single object is meant. */
  requiredValue(field: string): string | undefined {
    return this.requirements.find((term) => term.field === field && term.operator === '=')?.value;
  }

  /**
   * With every field and value as `change` returns them: how kinds refuse fields that they do not have
   * (by throwing) and accept old names.
   */
  map(change: (field: string, value: string) => readonly [field: string, value: string]): FieldSelector {
    const requirements = this.requirements.map((term) => {
      const [field, value] = change(term.field, term.value);
      return { ...term, field, value };
    });
    return FieldSelector.of(...requirements.filter(({ field, value }) => field !== '' || value !== ''));
  }

  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => field + operator + escapeFieldValue(value))
      .join(',');
  }
}

/** The value as it stands in a selector's text. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(term: string, text: string): FieldRequirement {
  // Fields have no escapes, so that the first operator is the one.
  const match = /!=|==?/.exec(term);
  if (match === null)
    throw new InvalidSelectorError(`invalid selector: '${text}'; can't understand '${term}'`);
  const value = unescape(term.slice(match.index + match[0].length));
  return { field: term.slice(0, match.index), operator: match[0] === '!=' ? '!=' : '=', value };
}

function unescape(value: string): string {
  let plain = '';
  let escaped = false;
  for (const character of value) {
    if (escaped) {
      if (!'\\,='.includes(character)) failEscape(`\\${character}`);
      plain += character;
      escaped = false;
    } else if (character === '\\') {
      escaped = true;
    } else if (character === ',' || character === '=') {
      throw new InvalidSelectorError(
        `invalid field selector: unescaped character in value: ${character.charCodeAt(0)}`,
      );
    } else {
      plain += character;
    }
  }
  if (escaped) failEscape('\\');
  return plain;
}

function failEscape(sequence: string): never {
  throw new InvalidSelectorError(`invalid field selector: invalid escape sequence: ${sequence}`);
}
