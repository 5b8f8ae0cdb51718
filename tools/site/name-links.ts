/** Where a name of the reference is described: a path from the root of the site. */
export type NamePlaces = ReadonlyMap<string, string>;

/**
 * Makes links of the names in highlighted code that the reference describes. Names in comments and texts stay as they
 * are, and so does the name that the code itself declares.
 */
export function linkNames(html: string, places: NamePlaces, toRoot: string, own: string): string {
  let plain = 0;
  return html.replaceAll(/<span class="([^"]*)">|<\/span>|([A-Z]\w+)(?![^<]*>)/g, (match, styles, name) => {
    if (typeof styles === 'string') {
      if (plain > 0 || /comment|string/.test(styles)) plain++;
      return match;
    }
    if (typeof name !== 'string') {
      if (plain > 0) plain--;
      return match;
    }
    const place = plain > 0 || name === own ? undefined : places.get(name);
    return place === undefined ? match : `<a href="${toRoot}/${place}">${name}</a>`;
  });
}
