/** What Go's decoder says of a text that is no JSON object; undefined when it is one. */
export function jsonProblem(text: string): string | undefined {
  const trimmed = text.trimStart();
  if (trimmed === '') return 'unexpected end of JSON input';
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || (typeof value === 'object' && !Array.isArray(value))) return undefined;
    const type = Array.isArray(value) ? 'array' : value === true || value === false ? 'bool' : typeof value;
    return `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
  } catch {
    const [first = ''] = trimmed;
    return /[{["\d\-tfn]/.test(first)
      ? 'unexpected end of JSON input'
      : `invalid character '${first}' looking for beginning of value`;
  }
}
