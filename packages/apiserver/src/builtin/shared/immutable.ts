export const IMMUTABLE = 'field is immutable';
