import fc from "fast-check"
import { LANGUAGES } from "../../../../i18n/languages"
import { messageOf, type Message } from "../../../../i18n/message"
import { translate } from "../../../../i18n/translate"
import { isPublicAddress, refusalOfUrl, withOutcome } from "../http/callback-url"

const strict = { allowPrivate: false }
const refused = (url: string) => refusalOfUrl(url, strict) !== null

describe("decisions: Callback URLs — accepted", () => {
  it.each([
    "https://shop.example.com/paid",
    "https://shop.example.com",
    "https://shop.example.com:8443/paid?order=1&x=%20",
    "HTTPS://SHOP.EXAMPLE.COM/PAID",
    "https://shop.example.com./paid",
    "https://sub_domain.example.com/",
    "https://xn--45q11c.example.com/",
    "https://দোকান.বাংলা/ok",
    "https://8.8.8.8/",
    "https://103.4.145.245/ipn",
    "https://172.15.255.255/",
    "https://172.32.0.1/",
    "https://100.63.255.255/",
    "https://100.128.0.1/",
    "https://[2606:4700:4700::1111]/",
    "https://[2400:cb00::1]:8443/x",
    "https://localhost.example.com/",
    "https://internal.example.com/",
    "https://mylocal.example.com/",
    "https://example.com/?redirect=http://localhost/",
    "https://example.com/@user",
  ])("%s", (url) => {
    expect(refusalOfUrl(url, strict)).toBeNull()
  })
})

describe("decisions: Callback URLs — refused for their form", () => {
  it.each([
    ["plain http", "http://shop.example.com/"],
    ["another scheme", "ftp://shop.example.com/"],
    ["javascript", "javascript:alert(1)"],
    ["data", "data:text/html,x"],
    ["file", "file:///etc/passwd"],
    ["no scheme", "shop.example.com/paid"],
    ["scheme-relative", "//shop.example.com/"],
    ["one slash", "https:/shop.example.com/"],
    ["three slashes", "https:///shop.example.com/"],
    ["no host", "https://"],
    ["nothing", ""],
    ["user name", "https://user@shop.example.com/"],
    ["user name and password", "https://user:secret@shop.example.com/"],
    ["password alone", "https://:secret@shop.example.com/"],
    ["userinfo that looks like a host", "https://shop.example.com@10.0.0.1/"],
    ["fragment", "https://shop.example.com/#paid"],
    ["empty fragment", "https://shop.example.com/#"],
    ["space", "https://shop.example.com/a b"],
    ["leading space", " https://shop.example.com/"],
    ["trailing newline", "https://shop.example.com/\n"],
    ["tab", "https://shop.exam\tple.com/"],
    ["carriage return", "https://shop.example.com/\r\nX: y"],
    ["NUL", "https://shop.example.com/\0"],
    ["DEL", "https://shop.example.com/\u007f"],
    ["C1 control", "https://shop.example.com/\u0085"],
    ["no-break space", "https://shop.example.com/\u00a0"],
    ["line separator", "https://shop.example.com/\u2028"],
    ["backslash", "https:\\\\shop.example.com\\"],
    ["backslash before @", "https://shop.example.com\\@10.0.0.1/"],
    ["port out of range", "https://shop.example.com:99999/"],
    ["percent-encoded host delimiter", "https://shop.example.com%2f@evil/"],
    ["empty label", "https://shop..example.com/"],
    ["two trailing dots", "https://shop.example.com../"],
  ])("%s: %s", (_name, url) => {
    expect(refused(url)).toBe(true)
  })
})

describe("decisions: Callback URLs — refused for their host", () => {
  it.each([
    "localhost",
    "LOCALHOST",
    "localhost.",
    "localhost..",
    "app.localhost",
    "app.localhost.",
    "localhost.localdomain",
    "shop",
    "shop.",
    "intranet",
    "com",
    "printer.local",
    "printer.LOCAL.",
    "local",
    "db.internal",
    "internal",
    "metadata.google.internal",
    "a.b.c.internal.",
    "instance-data.ec2.internal",
  ])("name %s", (host) => {
    expect(refused(`https://${host}/`)).toBe(true)
    expect(refused(`https://${host}:8443/x?y=z`)).toBe(true)
  })

  it.each([
    "127.0.0.1",
    "127.0.0.1.",
    "127.255.255.254",
    "127.1",
    "127.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0X7F.0.0.1",
    "017700000001",
    "0177.0.0.1",
    "0177.1",
    "127.0.0.0x1",
    "0",
    "0.0.0.0",
    "0x0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "167772161",
    "0xa.1",
    "012.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "3232235521",
    "0xc0a80001",
    "0300.0250.0.1",
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "169.254.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "192.88.99.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "127。0。0。1",
    "１２７.0.0.1",
    "①②⑦.0.0.1",
    "%31%32%37.0.0.1",
  ])("IPv4 %s", (host) => {
    expect(refused(`https://${host}/`)).toBe(true)
  })

  it.each([
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["loopback in full", "0:0:0:0:0:0:0:1"],
    ["mapped loopback", "::ffff:127.0.0.1"],
    ["mapped loopback in hex", "::ffff:7f00:1"],
    ["mapped private", "::ffff:10.0.0.1"],
    ["mapped metadata", "::ffff:169.254.169.254"],
    ["mapped CGNAT", "::ffff:100.64.0.1"],
    ["mapped platform address", "::ffff:168.63.129.16"],
    ["IPv4-compatible", "::127.0.0.1"],
    ["IPv4-translated", "::ffff:0:127.0.0.1"],
    ["6to4 of loopback", "2002:7f00:1::"],
    ["6to4 of a private address", "2002:c0a8:1::1"],
    ["6to4 of a public address", "2002:808:808::1"],
    ["NAT64 of loopback", "64:ff9b::7f00:1"],
    ["NAT64 of a private address", "64:ff9b::10.0.0.1"],
    ["NAT64, local prefix", "64:ff9b:1::a00:1"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["link-local", "fe80::1"],
    ["site-local", "fec0::1"],
    ["unique local", "fc00::1"],
    ["unique local, metadata", "fd00:ec2::254"],
    ["multicast", "ff02::1"],
    ["documentation", "2001:db8::1"],
    ["newer documentation range", "3fff::1"],
    ["benchmarking", "2001:2::1"],
    ["ORCHID", "2001:10::1"],
    ["discard", "100::1"],
    ["segment routing", "5f00::1"],
    ["outside 2000::/3", "4000::1"],
  ])("IPv6 %s: %s", (_name, host) => {
    expect(refused(`https://[${host}]/`)).toBe(true)
    expect(isPublicAddress(host)).toBe(false)
  })

  it("refuses every private IPv4 address in every spelling (property)", () => {
    const octet = fc.integer({ min: 0, max: 255 })
    const address = fc.oneof(
      fc.tuple(fc.constantFrom(10, 127, 0), octet, octet, octet),
      fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
      fc.tuple(fc.constant(169), fc.constant(254), octet, octet)
    )
    fc.assert(
      fc.property(address, ([a, b, c, d]) => {
        const value = ((a * 256 + b) * 256 + c) * 256 + d
        const hex = value.toString(16)
        const spellings = [
          `${a}.${b}.${c}.${d}`,
          `${value}`,
          `0x${hex}`,
          `0${value.toString(8)}`,
          `${a}.${b}.${c * 256 + d}`,
          `[::ffff:${a}.${b}.${c}.${d}]`,
          `[64:ff9b::${a}.${b}.${c}.${d}]`,
        ]
        return spellings.every((host) => refused(`https://${host}/`))
      })
    )
  })
})

describe("contract 8 — callback URLs have at most 255 characters", () => {
  const url = (length: number) => `https://shop.example.com/${"a".repeat(length - 25)}`

  it("takes 255 and refuses 256, naming the bound it was given", () => {
    expect(refusalOfUrl(url(255), { ...strict, maxChars: 255 })).toBeNull()
    expect(refusalOfUrl(url(256), { ...strict, maxChars: 255 })).toEqual(messageOf("rule.max_length", { max: 255 }))
    expect(refusalOfUrl(url(2_049), { ...strict, maxChars: 2_048 })).toEqual(
      messageOf("rule.max_length", { max: 2_048 })
    )
    expect(refusalOfUrl(url(256), strict)).toBeNull()
  })
})

describe("decisions: Callback URLs — allowPrivateUrls lifts the host rules and nothing else", () => {
  const lax = { allowPrivate: true }

  it.each(["http://localhost:3000/paid", "https://10.0.0.1/", "http://shop/", "http://[::1]:80/"])(
    "takes %s",
    (url) => {
      expect(refusalOfUrl(url, lax)).toBeNull()
    }
  )

  it.each(["http://user@localhost/", "http://localhost/#x", "ftp://localhost/", "http://local host/"])(
    "refuses %s",
    (url) => {
      expect(refusalOfUrl(url, lax)).not.toBeNull()
    }
  )
})

describe("decisions: Callback URLs — a refusal says how a receiver on one's own machine is allowed", () => {
  const wayOut = ", unless a store for tests is started with GATEWAY_ALLOW_PRIVATE_URLS=1"

  it.each([
    ["http://localhost:3000/webhooks", `must use https${wayOut}`],
    ["http://shop.example.com/webhooks", `must use https${wayOut}`],
    ["https://localhost:3000/webhooks", `must have a public host name${wayOut}`],
    ["https://shop/webhooks", `must have a public host name${wayOut}`],
    ["https://127.0.0.1:3000/webhooks", `must be on a public address${wayOut}`],
    ["https://192.168.1.20/webhooks", `must be on a public address${wayOut}`],
  ])("%s %s", (url, text) => {
    const refusal = refusalOfUrl(url, strict) as Message
    expect(translate(refusal)).toBe(text)
    for (const language of LANGUAGES) {
      expect(translate(refusal, language)).toContain("GATEWAY_ALLOW_PRIVATE_URLS=1")
    }
    expect(refusalOfUrl(url, { allowPrivate: true })).toBeNull()
  })
})

describe("contract 4.2 rule 5 — the outcome is appended after the query that is there, never replacing it", () => {
  const outcome = { transaction_id: "txn1", status: "SUCCESS", order_id: "A 1&b=c" }
  const tail = "transaction_id=txn1&status=SUCCESS&order_id=A%201%26b%3Dc"

  it.each([
    ["https://a.example.com/ok", "?"],
    ["https://a.example.com", "?"],
    ["https://a.example.com/ok?", ""],
    ["https://a.example.com/ok?x=1", "&"],
    ["https://a.example.com/ok?x=1&", ""],
    ["https://a.example.com/ok?status=mine&order_id=%20", "&"],
    ["https://a.example.com/ok?a=b?c", "&"],
  ])("%s", (url, separator) => {
    expect(withOutcome(url, outcome)).toBe(`${url}${separator}${tail}`)
  })

  it("leaves status out where there is none", () => {
    expect(withOutcome("https://a.example.com/", { transaction_id: "t", order_id: "o" })).toBe(
      "https://a.example.com/?transaction_id=t&order_id=o"
    )
  })

  it("keeps the URL as a prefix, and a parser finds the outcome in it (property)", () => {
    const pair = fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ maxLength: 10 }))
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 4 }), fc.string({ minLength: 1, maxLength: 30 }), (pairs, order_id) => {
        const query = new URLSearchParams(pairs).toString()
        const url = `https://shop.example.com/ok${query === "" ? "" : `?${query}`}`
        const result = withOutcome(url, { ...outcome, order_id })
        const read = [...new URL(result).searchParams]
        const appended = [
          ["transaction_id", "txn1"],
          ["status", "SUCCESS"],
          ["order_id", order_id],
        ]
        expect(result.startsWith(url)).toBe(true)
        expect(read).toEqual([...pairs, ...appended])
      })
    )
  })
})
