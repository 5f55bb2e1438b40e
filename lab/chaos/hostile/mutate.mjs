import { HOSTILE_KEYS, HOSTILE_NUMBERS, HOSTILE_TEXTS } from "./hostile-texts.mjs"

/** A lone surrogate stays one: JSON.stringify writes it as an escape, which is how it travels. */
const DEEP = (depth, brackets) =>
  brackets === "[" ? "[".repeat(depth) + "]".repeat(depth) : '{"a":'.repeat(depth) + "1" + "}".repeat(depth)

export class Mutator {
  constructor(random, foreignIds) {
    this.random = random
    this.foreignIds = foreignIds
  }

  /** A value in place of another: as a rule of another kind or at a border of its own. */
  value(was) {
    const { random } = this
    switch (random.int(9)) {
      case 0:
        return random.pick(HOSTILE_TEXTS)
      case 1:
        return random.pick(HOSTILE_NUMBERS)
      case 2:
        return random.pick([null, true, false])
      case 3:
        return random.pick([[], [[]], [null], [was], [was, was], Array.from({ length: 300 }, () => was)])
      case 4:
        return random.pick([{}, { a: 1 }, { length: 1 }, { toString: 1 }, { $gt: "" }, { valueOf: null, then: 1 }])
      case 5:
        return typeof was === "number"
          ? String(was)
          : typeof was === "string" && was.trim() !== "" && !Number.isNaN(Number(was))
            ? Number(was)
            : random.pick(HOSTILE_TEXTS)
      case 6:
        return typeof was === "string" ? was + random.pick(HOSTILE_TEXTS) : random.pick(HOSTILE_NUMBERS)
      case 7:
        return random.pick(this.foreignIds)
      default:
        return typeof was === "string"
          ? random.pick([was.toUpperCase(), was.toLowerCase(), ` ${was} `, was.slice(1), was.repeat(2)])
          : random.pick(HOSTILE_TEXTS)
    }
  }

  /** One member, at any depth, is changed, removed, renamed or added. The object is changed in place. */
  object(target) {
    const { random } = this
    const keys = Object.keys(target)
    if (keys.length === 0 || random.chance(0.15)) {
      // defineProperty, because an assignment to __proto__ would not make a member.
      Object.defineProperty(target, Array.isArray(target) ? keys.length : random.pick(HOSTILE_KEYS), {
        value: this.value("x"),
        enumerable: true,
        configurable: true,
        writable: true,
      })
      return
    }
    const key = random.pick(keys)
    const was = target[key]
    if (typeof was === "object" && was !== null && random.chance(0.6)) {
      this.object(was)
      return
    }
    if (random.chance(0.15)) {
      delete target[key]
      return
    }
    // A member called __proto__, made before, is replaced as well, and not what the object inherits from.
    Object.defineProperty(target, key, { value: this.value(was), enumerable: true, configurable: true, writable: true })
  }

  /** The bytes of a JSON body, most of them of an object with one to three members mutated. */
  body(object) {
    const { random } = this
    const times = random.chance(0.12) ? 0 : random.between(1, 3)
    for (let time = 0; time < times; time++) {
      this.object(object)
    }
    const text = JSON.stringify(object).replace(/null/g, (word) => (random.chance(0.02) ? "1e999" : word))
    return random.chance(0.9) ? Buffer.from(text, "utf8") : this.#broken(text)
  }

  /** What is no longer the JSON that its sender meant. */
  #broken(text) {
    const { random } = this
    const whole = Buffer.from(text, "utf8")
    switch (random.int(12)) {
      case 0:
        return whole.subarray(0, random.int(whole.length))
      case 1:
        return Buffer.from(text, "utf16le")
      case 2:
        return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), whole])
      case 3:
        return Buffer.concat([whole.subarray(0, whole.length - 1), Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0x7d])])
      case 4:
        return Buffer.from(DEEP(random.pick([31, 33, 1_000, 50_000]), random.pick(["[", "{"])))
      case 5:
        return Buffer.from(
          `{"a":${DEEP(random.pick([30, 40, 5_000]), "[")}${text === "{}" ? "" : `,${text.slice(1, -1)}`}}`
        )
      case 6:
        // The first member twice: parsers take one of the two.
        return Buffer.from(text.replace(/^\{("[^"]*":("[^"]*"|[^,{}[\]]*))/, "{$1,$1"))
      case 7:
        return Buffer.from(`[${text}]`)
      case 8:
        return Buffer.from(
          random.pick([
            "",
            " ",
            "null",
            "true",
            "1",
            '"a"',
            "[]",
            "{}",
            "{",
            "{}{}",
            "{,}",
            "{'a':1}",
            '{"a":01}',
            '{"a":NaN}',
            "\0",
            "/*x*/{}",
          ])
        )
      case 9:
        return Buffer.from(
          text.replace(
            "{",
            `{"${"k".repeat(10)}":"${"x".repeat(random.pick([60_000, 270_000, 300_000]))}"${text === "{}" ? "" : ","}`
          )
        )
      case 10:
        return Buffer.from(Array.from({ length: random.between(1, 400) }, () => random.int(256)))
      default:
        return Buffer.from(
          text.replace(
            "{",
            `{${Array.from({ length: 2_000 }, (_, at) => `"m${at}":${at}`).join(",")}${text === "{}" ? "" : ","}`
          )
        )
    }
  }

  /** A segment of a path, percent-encoded as it travels. */
  segment(was) {
    const { random } = this
    return random.pick([
      () => "%00",
      () => `${was}%00`,
      () => "%ff",
      () => "%c0%ae",
      () => "..",
      () => "%2e%2e",
      () => "..%2f..",
      () => "%2f",
      () => "%5c",
      () => ".",
      () => "%",
      () => "%zz",
      () => "$&",
      () => ";a=1",
      () => "*",
      () => ":id",
      () => "%E2%80%AE",
      () => "a".repeat(random.pick([255, 1_000, 6_000])),
      () => "%F0%9F%98%80",
      () => "%ED%A0%80",
      () => "0",
      () => "-1",
      () => "2147483648",
      () => "9223372036854775808",
      () => "1e3",
      () => "0x1",
      () => "1.5",
      () => "NaN",
      () => "null",
      () => encodeURIComponent(String(random.pick(this.foreignIds))),
      () => String(was).toUpperCase(),
      () => `%20${was}`,
      () => String(was).replace(/-/g, ""),
      () => `${was}/`,
      () => `{${was}}`,
      () => "00000000-0000-0000-0000-000000000000",
      () => encodeURIComponent(random.pick(HOSTILE_TEXTS.filter((text) => text.length < 400 && text.isWellFormed()))),
    ])()
  }

  /** `name=value&…`; the values that are not mutated are the good ones of `parameters`. */
  query(parameters, names) {
    const { random } = this
    const chosen = Array.from({ length: random.between(1, 4) }, () => random.pick(names))
    return chosen.map((name) => this.#parameter(name, parameters[name])).join("&")
  }

  #parameter(name, value) {
    const { random } = this
    if (random.chance(0.4)) {
      return `${name}=${encodeURIComponent(value)}`
    }
    const odd = () =>
      encodeURIComponent(random.pick(HOSTILE_TEXTS.filter((text) => text.length < 400 && text.isWellFormed())))
    return random.pick([
      () => `${name}=${odd()}`,
      () => `${name}[]=${odd()}&${name}[]=2`,
      () => `${name}[a]=1`,
      () => `${name}[__proto__]=1`,
      () => `${name}=1&${name}=2`,
      () => `${name}.x=1`,
      () => `${name}`,
      () => `${name}=`,
      () => `=${value}`,
      () => `${name}=%ff`,
      () => `${name}=%00`,
      () => `${name}=%`,
      () => `${name}=${random.pick(HOSTILE_NUMBERS)}`,
      () => `__proto__[${name}]=1`,
      () => `constructor[prototype]=1`,
      () => `${name}${"[a]".repeat(30)}=1`,
      () => `&&&=&`,
      () => `${name}=${"x".repeat(random.pick([300, 3_000]))}`,
      () => Array.from({ length: 120 }, (_, at) => `${name}[${at}]=1`).join("&"),
      () => `${name}=%ED%A0%80`,
      () => `${name}=a+b%2Bc`,
    ])()
  }
}
