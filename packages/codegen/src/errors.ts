import { WindlassError } from '@windlass/base';

/** A resource is declared in a way that no API server would accept. */
export class InvalidDeclarationError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'INVALID_DECLARATION', kind: 'bug' });
  }
}

/** Where a definition stands. */
export interface DefinitionPlace {
  /** A file, or a server. */
  readonly source: string;
  /** Of several YAML documents; the first is 1. */
  readonly document?: number;
  /** `spec.versions[0].schema`. */
  readonly path?: string;
}

/** What is to be generated from is no CustomResourceDefinition, or not one that can be used. */
export class InvalidDefinitionError extends WindlassError {
  readonly place: DefinitionPlace;

  constructor(place: DefinitionPlace, problem: string, cause?: unknown) {
    const { source, document, path } = place;
    const where = [
      source,
      ...(document === undefined ? [] : [`document ${document}`]),
      ...(path ? [path] : []),
    ];
    super(`${where.join(', ')}: ${problem}`, { code: 'INVALID_DEFINITION', cause });
    this.place = place;
  }
}
