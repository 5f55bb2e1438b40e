import { HOSTILE_TEXTS } from "./hostile-texts.mjs"

const CONTENT_TYPES = [
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json; charset=utf-16",
  "application/json;charset=latin1",
  "APPLICATION/JSON",
  "application/jsonx",
  "*/*",
  "",
  "application/json, text/html",
  "x".repeat(2_000),
]
const ENCODINGS = ["gzip", "br", "deflate", "identity", "compress", "gzip, gzip", "x"]
/** Texts that a header can carry as they are: one byte a character, no control characters. */
const HEADER_TEXTS = HOSTILE_TEXTS.filter((text) => text.length < 400 && /^[\t\x20-\x7e\x80-\xff]*$/.test(text))

/** Headers on top of the good ones that every HTTP server takes; the gateway must answer in its own shape. */
const UNUSUAL = [
  (random) => ({ "Idempotency-Key": random.pick([random.pick(HEADER_TEXTS), "same-key", "k".repeat(300), "é"]) }),
  (random) => ({
    "X-Request-Id": random.pick([random.pick(HEADER_TEXTS), "a".repeat(9), "../..", "a b", "x".repeat(5_000)]),
  }),
  (random, headers) => ({
    "X-Merchant-API-Key": random.pick([
      "",
      "x",
      `sk_live_${"a".repeat(43)}`,
      `sk_test_${"a".repeat(43)}`,
      `${headers["X-Merchant-API-Key"]} `,
      "é".repeat(20),
    ]),
  }),
  (random) => ({ "Content-Type": random.pick(CONTENT_TYPES) }),
  (random) => ({ "Content-Encoding": random.pick(ENCODINGS) }),
  (random) => ({
    Accept: random.pick(["text/html", "*/*;q=0", "x"]),
    "Accept-Encoding": random.pick(["gzip", "identity;q=0", "*"]),
    "If-None-Match": "*",
    Range: "bytes=0-1",
  }),
  (random) => ({
    "X-Forwarded-For": random.pick(["127.0.0.1", "x", "::1, 1.1.1.1", "1".repeat(2_000)]),
    "X-Forwarded-Proto": "x",
    "X-Forwarded-Host": "evil.invalid",
  }),
  (random) => ({
    Origin: random.pick(["null", "https://evil.invalid", "x"]),
    "Sec-Fetch-Site": "cross-site",
    Referer: "x",
  }),
  (random) => ({ "X-HTTP-Method-Override": "DELETE", "Content-Language": "x", Cookie: random.pick(HEADER_TEXTS) }),
  (random) => ({ Host: random.pick(["", "evil.invalid", "a b", "localhost:99999", "[::1"]) }),
]

/** Headers that break HTTP itself: Node may refuse them without a body, and ends the connection. */
const MALFORMED = [
  (random, content) => ({
    "Content-Length": random.pick([
      Math.floor(content.length / 2),
      "-1",
      "0x5",
      `${content.length}, ${content.length}`,
      [content.length, content.length + 1],
      "99999999999999999999x",
    ]),
  }),
  (random) => ({
    "Transfer-Encoding": random.pick(["chunked", "gzip, chunked", "chunked, identity", "xchunked", " chunked"]),
  }),
]
const MALFORMED_LINE = (random) => ({
  [random.pick(["X\0Y", "X Y", "X-Bad"])]: random.pick(["a\0b", "\u0001", "a\u007fb"]),
})

/**
 * The headers of a request with something odd among them.
 * @returns `{ headers, malformed, closes }`; `malformed`: it is no HTTP any more; `closes`: the connection ends with it
 */
export function oddHeaders(headers, content, random) {
  const kind = random.int(UNUSUAL.length + MALFORMED.length + 1)
  if (kind < UNUSUAL.length) {
    return { headers: { ...headers, ...UNUSUAL[kind](random, headers) }, malformed: false, closes: false }
  }
  const aboutBody = MALFORMED[kind - UNUSUAL.length]
  if (aboutBody !== undefined && content === undefined) {
    return { headers, malformed: false, closes: false }
  }
  const more = aboutBody === undefined ? MALFORMED_LINE(random) : aboutBody(random, content)
  return { headers: { ...headers, ...more }, malformed: true, closes: true }
}
