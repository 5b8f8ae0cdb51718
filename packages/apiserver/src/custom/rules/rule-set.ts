import type { FieldError, Schema } from '@windlass/apimachinery';
import type { RequestContext } from '../../request/context.ts';
import type { Stored } from '../../resource/strategy.ts';

/** The validation rules of a schema, compiled. */
export class RuleSet {
  readonly isEmpty: boolean = true;

  constructor(_schema: Schema) {}

  validate(_object: Stored, _old: Stored | undefined, _context: RequestContext): FieldError[] {
    return [];
  }
}
