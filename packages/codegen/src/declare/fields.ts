// The fields of a custom resource, declared once: the TypeScript type and the schema that the API server
// checks come from the same words.
import { builtin } from './builtin.ts';
import { array, map, object } from './collections.ts';
import { conditions } from './conditions.ts';
import { nullable, optional, raw } from './field.ts';
import { any, boolean, integer, intOrString, number, oneOfTexts, quantity, string, time } from './scalars.ts';

/** The kinds of fields there are: `fields.string()`, `fields.object({ … })`. */
export const fields = Object.freeze({
  string,
  enum: oneOfTexts,
  time,
  integer,
  number,
  boolean,
  intOrString,
  quantity,
  array,
  map,
  object,
  any,
  raw,
  builtin,
  optional,
  nullable,
  conditions,
});
