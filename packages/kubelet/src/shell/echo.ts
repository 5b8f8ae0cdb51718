/** What `echo` prints. */
export function echoText(args: readonly string[]): string {
  const [first, ...rest] = args;
  if (first === '-n') return rest.join(' ');
  if (first === '-e') return `${unescaped(rest.join(' '))}\n`;
  return `${args.join(' ')}\n`;
}

/** What `printf` prints, for `%s` and `%d` alone. */
export function printfText([format = '', ...args]: readonly string[]): string {
  let next = 0;
  return unescaped(format).replaceAll(/%([sd%])/g, (_, kind: string) =>
    kind === '%' ? '%' : (args[next++] ?? (kind === 'd' ? '0' : '')),
  );
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

function unescaped(text: string): string {
  return text.replaceAll(/\\([ntr\\])/g, (_, char: string) => ESCAPES[char] ?? char);
}

/** What `date` prints for a time in milliseconds since 1970: as in a container, in UTC. */
export function dateText(now: number, args: readonly string[]): string {
  const date = new Date(now);
  const format = args.find((arg) => arg.startsWith('+'));
  if (format !== undefined) return `${formatted(date, format.slice(1))}\n`;
  return `${formatted(date, '%a %b %e %H:%M:%S UTC %Y')}\n`;
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function formatted(date: Date, format: string): string {
  const two = (value: number, fill = '0'): string => String(value).padStart(2, fill);
  const parts: Readonly<Record<string, string>> = {
    Y: String(date.getUTCFullYear()),
    m: two(date.getUTCMonth() + 1),
    d: two(date.getUTCDate()),
    e: two(date.getUTCDate(), ' '),
    H: two(date.getUTCHours()),
    M: two(date.getUTCMinutes()),
    S: two(date.getUTCSeconds()),
    s: String(Math.floor(date.getTime() / 1000)),
    a: DAYS[date.getUTCDay()] ?? '',
    b: MONTHS[date.getUTCMonth()] ?? '',
    F: date.toISOString().slice(0, 10),
    T: date.toISOString().slice(11, 19),
    Z: 'UTC',
    z: '+0000',
  };
  return format.replaceAll(/%([A-Za-z])/g, (whole, key: string) => parts[key] ?? whole);
}
