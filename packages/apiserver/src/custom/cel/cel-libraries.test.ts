import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CelEnvironment } from './cel-environment.ts';
import { CelError } from './cel-error.ts';

const env = CelEnvironment.create().variable('self', 'dyn');
const run = (source: string, self: unknown = null): unknown => env.compile(source).evaluate({ self });

describe("Kubernetes' libraries of CEL", () => {
  for (const source of [
    // regular expressions
    `"abc".matches("^[a-c]+$")`,
    `!"abc".matches("^[a-b]+$")`,
    `"a\\nb".matches("(?s)a.b")`,
    `"abc 123".find("[0-9]+") == "123"`,
    `"abc".find("x") == ""`,
    `"123 abc 456".findAll("[0-9]+") == ["123", "456"]`,
    `"123 abc 456".findAll("[0-9]+", 1) == ["123"]`,
    // addresses
    `ip("192.168.0.1").family() == 4`,
    `ip("::1").isLoopback()`,
    `!isIP("1.2.3")`,
    `ip.isCanonical("2001:db8::1") && !ip.isCanonical("2001:DB8::1")`,
    `["10.0.0.1"].all(ip, isIP(ip))`,
    `cidr("192.168.0.0/16").containsIP("192.168.3.4")`,
    `cidr("192.168.0.0/16").containsCIDR("192.168.3.0/24")`,
    `cidr("192.168.3.4/16").masked() == cidr("192.168.0.0/16")`,
    `cidr("2001:db8:1:2::5/48").masked() == cidr("2001:db8:1::/48")`,
    `cidr("10.0.0.0/8").prefixLength() == 8`,
    // URLs
    `url("https://user:pw@Example.com:443/a%20b?x=1&x=2&y=3").getHost() == "Example.com:443"`,
    `url("https://example.com:443/a").getPort() == "443"`,
    `url("https://[::1]:80/").getHostname() == "::1"`,
    `url("https://example.com").getEscapedPath() == ""`,
    `url("/just/a/path?x=1").getScheme() == "" && url("/just/a/path").getEscapedPath() == "/just/a/path"`,
    `url("https://a/?x=1&x=2").getQuery()["x"] == ["1", "2"]`,
    `!isURL("../relative") && !isURL("nothing") && isURL("https://a:80/")`,
    `!isURL("https://a b/")`,
    `url("https://a/") == url("https://a/")`,
    // quantities
    `quantity("1Gi").isGreaterThan(quantity("1G"))`,
    `quantity("50k").add(1).asInteger() == 50001`,
    `!isQuantity("1 Gi")`,
    `sign(quantity("1.5")) == 1 && !quantity("1.5").isInteger()`,
    // formats
    `!format.dns1123Label().validate("my-label").hasValue()`,
    `format.dns1123Label().validate("My_Label").value().size() == 1`,
    `format.named("uuid").value().validate("x").hasValue()`,
    `!format.named("nope").hasValue()`,
    `!format.dns1123LabelPrefix().validate("prefix-").hasValue()`,
    `format.date().validate("2021-13-01").hasValue()`,
    // versions
    `semver("1.2.3").isLessThan(semver("1.10.0"))`,
    `semver("1.0.0-alpha.1").compareTo(semver("1.0.0-alpha.beta")) == -1`,
    `semver("1.0.0").isGreaterThan(semver("1.0.0-rc.1"))`,
    `semver("1.0.0+a") == semver("1.0.0+b")`,
    `!isSemver("v1.0") && isSemver("v1.0", true) && semver("v01.2", true) == semver("1.2.0")`,
    `semver("1.2.3").major() == 1 && semver("1.2.3").patch() == 3`,
    // lists
    `[3, 1, 2].sort() == [1, 2, 3]`,
    `[1, 2, 3].reverse() == [3, 2, 1]`,
    `[1, 2, 2, 1].distinct() == [1, 2]`,
    `[1, 2, 3, 4].slice(1, 3) == [2, 3]`,
    `[[dyn(1), dyn([2])], [dyn(3)]].flatten() == [dyn(1), dyn([2]), dyn(3)]`,
    `[dyn([1, 4]), dyn([dyn([2]), dyn(3)])].flatten(2) == [1, 4, 2, 3]`,
    `[1, 2].first().value() == 1 && [1, 2].last().value() == 2 && !dyn([]).first().hasValue()`,
    `lists.range(3) == [0, 1, 2]`,
    `[1, 2, 3].sum() == 6 && ["b", "a"].min() == "a" && [1.0, 2.0].max() == 2.0`,
    `[1, 2, 2].lastIndexOf(2) == 2 && [1, 2].indexOf(5) == -1`,
    `sets.contains([1, 2], [2]) && sets.intersects([1], [1, 2]) && !sets.equivalent([1], [2])`,
    // loops
    `[1, 2, 3].all(i, v, v == i + 1) && ![1, 3].all(i, v, v == i + 1)`,
    `{"a": 1, "b": 2}.exists(k, v, k == "b" && v == 2)`,
    `[5, 5, 6].existsOne(i, v, v == 6) && ![5, 5].existsOne(i, v, v == 5)`,
    `[1, 2, 3].transformList(i, v, i * v) == [0, 2, 6]`,
    `[1, 2, 3].transformList(i, v, v > 1, v) == [2, 3]`,
    `{"a": 1, "b": 2}.transformMap(k, v, v > 1, v + 1) == {"b": 3}`,
    `{"a": "x"}.transformMapEntry(k, v, {v: k}) == {"x": "a"}`,
    `[[1, 2], [3]].all(i, row, row.all(j, v, v > 0))`,
    `[1, 0].exists(i, v, 2 / v == 2)`,
    `["bb", "a"].sortBy(x, x.size()) == ["a", "bb"]`,
    // texts
    `"%s is %d, %.2f %x".format(["a", 3, 1.5, 255]) == "a is 3, 1.50 ff"`,
    `"%s %s".format([["a", "b"], {"b": 1, "a": 2}]) == "[\\"a\\", \\"b\\"] {\\"a\\":2, \\"b\\":1}"`,
    `"%s %s %s".format([3.0, 1234567.0, null]) == "3 1.234567e+06 null"`,
    `"%.3f".format([10000.1234]) == "10,000.123"`,
    `"%b %o %X %%".format([5, 8, "hi"]) == "101 10 6869 %"`,
    `"a,b".split(",") == ["a", "b"] && ["a", "b"].join("-") == "a-b"`,
    // optionals
    `self.?a.?b.orValue("none") == "none"`,
    `optional.of(1).orValue(2) == 1 && !optional.none().hasValue()`,
  ]) {
    it(source, () => {
      assert.equal(run(source, new Map([['x', 'y']])), true);
    });
  }

  for (const [source, problem] of [
    [`"a".matches("(?=" + "a)")`, /error parsing regexp: invalid or unsupported Perl syntax: `\(\?=`/],
    [`[1].slice(0, 2) == []`, /cannot slice\(0, 2\), list is length 1/],
    [`semver("1.2") == semver("1.2")`, /semver parse error/],
    [`url("nothing").getHost() == ""`, /URL parse error during conversion from string/],
    [`"%s".format([1, 2]) == ""`, /too many arguments supplied to string\.format \(expected 1, got 2\)/],
    [`"%s %s".format([1]) == ""`, /index 1 out of range/],
    [`"%d".format(["x"]) == ""`, /decimal clause can only be used on integers/],
    [
      `["a", "b"].transformMapEntry(i, v, {"same": v}).size() == 1`,
      /insert failed: key 'same' already exists/,
    ],
    [`dyn([]).min() == 1`, /min called on empty list/],
  ] as const) {
    it(`${source} fails: ${problem.source}`, () => {
      assert.throws(() => run(source), { name: 'CelError', failure: 'evaluate', message: problem });
    });
  }

  for (const [source, problem] of [
    [`"a".matches("(?=a)")`, 'ERROR: <input>:1:13: invalid matches argument'],
    [`self.all(x, x.matches("["))`, 'ERROR: <input>:1:23: invalid matches argument'],
    [`duration("1 day") > duration("1h")`, 'ERROR: <input>:1:10: invalid duration argument'],
    [
      `timestamp("2021-13-01T00:00:00Z") == timestamp("2021-01-01T00:00:00Z")`,
      'ERROR: <input>:1:11: invalid timestamp argument',
    ],
  ] as const) {
    it(`${source} is no expression: ${problem}`, () => {
      assert.throws(
        () => run(source),
        (error) =>
          error instanceof CelError && error.failure === 'compile' && error.message.startsWith(problem),
      );
    });
  }

  it('have no mathematics, as in Kubernetes', () => {
    assert.throws(() => run('math.abs(-1) == 1'), {
      failure: 'compile',
      message: /undeclared reference to 'math'/,
    });
  });
});

describe('the cost of an expression', () => {
  const big = 'a'.repeat(1_000_000);
  const many = Array.from({ length: 1000 }, (_, index) => BigInt(index));
  for (const [what, source] of [
    ['loops within loops', 'self.many.all(a, self.many.all(b, self.many.all(c, a + b + c >= 0)))'],
    ['a large text that is looked through again and again', 'self.many.all(x, !self.big.contains("b"))'],
    ['a large text that is compared again and again', 'self.many.all(x, self.big == self.big)'],
    ['texts that grow', 'self.many.map(x, self.big + "b").size() == 0'],
    ['expressions on large texts', 'self.many.all(x, !self.big.matches("(a+)+b"))'],
    ['loops with two variables', 'self.many.all(i, a, self.many.all(j, b, self.many.all(k, c, true)))'],
    ['sets of many', 'self.many.all(x, sets.contains(self.many, self.many))'],
    ['a list of too many', 'lists.range(100000000).size() == 0'],
  ] as const) {
    it(`is limited for ${what}`, () => {
      const self = new Map<string, unknown>([
        ['big', big],
        ['many', many],
      ]);
      const start = performance.now();
      assert.throws(
        () => run(source, self),
        (error) => error instanceof CelError && error.failure === 'cost',
      );
      assert.ok(performance.now() - start < 10_000);
    });
  }

  it('is taken from what expressions share', () => {
    const budget = { remaining: 1000 };
    const program = env.compile('self.all(x, x >= 0)');
    const self = many.slice(0, 100);
    program.evaluate({ self }, budget);
    assert.ok(budget.remaining < 1000 && budget.remaining > 0, String(budget.remaining));
    assert.throws(() => {
      for (let round = 0; round < 10; round++) program.evaluate({ self }, budget);
    }, /actual cost limit exceeded/);
    assert.ok(budget.remaining <= 0);
  });
});
