/** A note that a server puts beside its answer: a deprecated version, an unknown field. */
export interface ApiWarning {
  /** 299 for all that Kubernetes sends. */
  readonly code: number;
  /** Who says so; `-` when unnamed. */
  readonly agent: string;
  readonly text: string;
}

const WARNING = /\s*(\d{3})\s+(\S+)\s+"((?:[^"\\]|\\.)*)"(?:\s+"[^"]*")?\s*(?:,|$)/y;

/** The warnings in a `Warning` header, of which several may stand in one line. Malformed ones are left out. */
export function parseWarnings(header: string | undefined): ApiWarning[] {
  if (header === undefined) return [];
  const warnings: ApiWarning[] = [];
  const pattern = new RegExp(WARNING);
  for (let match = pattern.exec(header); match !== null; match = pattern.exec(header)) {
    const [, code = '', agent = '', text = ''] = match;
    warnings.push({ code: Number(code), agent, text: text.replace(/\\(.)/g, '$1') });
    if (pattern.lastIndex >= header.length) break;
  }
  return warnings;
}
