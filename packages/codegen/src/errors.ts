import { WindlassError } from '@windlass/base';

/** A resource is declared in a way that no API server would accept. */
export class InvalidDeclarationError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'INVALID_DECLARATION', kind: 'bug' });
  }
}

/** What is to be generated from is no CustomResourceDefinition, or not one that can be used. */
export class InvalidDefinitionError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'INVALID_DEFINITION' });
  }
}
