import {
  validateDns1035Label,
  validateDns1035Name,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelName,
  validateLabelValue,
  validateQualifiedName,
  validateSubdomainName,
} from '@windlass/apimachinery';
import { hasFormat } from '../schema/formats.ts';
import type { Declarations } from './language/declarations.ts';
import { Optional } from './language/values.ts';

/** A named form of texts. */
class Format {
  readonly name: string;
  readonly validate: (text: string) => readonly string[];
  constructor(name: string, validate: (text: string) => readonly string[]) {
    this.name = name;
    this.validate = validate;
  }
}

const like =
  (format: string, problem: string) =>
  (text: string): string[] =>
    hasFormat(text, format) ? [] : [problem];

const FORMATS = new Map(
  Object.entries({
    dns1123Label: validateDns1123Label,
    dns1123Subdomain: validateDns1123Subdomain,
    dns1035Label: validateDns1035Label,
    qualifiedName: validateQualifiedName,
    dns1123LabelPrefix: (text: string) => validateLabelName(text, true),
    dns1123SubdomainPrefix: (text: string) => validateSubdomainName(text, true),
    dns1035LabelPrefix: (text: string) => validateDns1035Name(text, true),
    labelValue: validateLabelValue,
    uri: like('uri', 'invalid URI'),
    uuid: like('uuid', 'does not match the UUID format'),
    byte: like('byte', 'invalid base64'),
    date: like('date', 'invalid date'),
    datetime: like('date-time', 'invalid datetime'),
  }).map(([name, validate]) => [name, new Format(name, validate)]),
);

/** `format.dns1123Label().validate("a")`: nothing when it is right, and else what is wrong with it. */
export function registerFormatFunctions(env: Declarations): void {
  env
    .declareObject('kubernetes.NamedFormat', Format, undefined, (a: Format, b: Format) => a.name === b.name)
    .function('format.named(string): optional<kubernetes.NamedFormat>', (name: string) =>
      Optional.of(FORMATS.get(name)),
    )
    .function(
      'kubernetes.NamedFormat.validate(string): optional<list<string>>',
      (format: Format, text: string) => {
        const problems = format.validate(text);
        return problems.length === 0 ? Optional.none() : Optional.of([...problems]);
      },
    );
  for (const [name, format] of FORMATS)
    env.function(`format.${name}(): kubernetes.NamedFormat`, () => format);
}
