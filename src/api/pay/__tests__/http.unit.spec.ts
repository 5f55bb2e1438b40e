import { findPage, methodsIn } from "../../page-kit/routes"
import { cookiesFor, csrfToken, isOwnPost, isTokenValid, newVisitorSecret, readCookies } from "../http/csrf"
import { contentSecurityPolicy, setSecurityHeaders } from "../http/headers"
import { asciiUrl } from "../http/respond"
import { SESSION, visitor } from "./support"

const INVOICE = `inp_${"a".repeat(32)}`

describe("the CSRF token", () => {
  const secret = newVisitorSecret()
  const own = { secret, isNew: false, sessionId: SESSION, token: csrfToken(secret, SESSION) }

  it("is good for its browser and its checkout only", () => {
    expect(isTokenValid(own)).toBe(true)
    expect(isTokenValid({ ...own, secret: newVisitorSecret() })).toBe(false)
    expect(isTokenValid({ ...own, sessionId: `ses_${"b".repeat(32)}` })).toBe(false)
    expect(isTokenValid({ ...own, token: "" })).toBe(false)
    expect(isTokenValid({ ...own, isNew: true })).toBe(false)
  })

  it("does not reveal the cookie's secret", () => {
    expect(csrfToken(secret, SESSION)).not.toContain(secret.slice(0, 10))
  })

  it("looks different on every page, and each of them is good", () => {
    const tokens = Array.from({ length: 50 }, () => csrfToken(secret, SESSION))
    expect(new Set(tokens.flatMap((token) => [token.slice(0, 42), token.slice(43)])).size).toBe(100)
    expect(tokens.every((token) => isTokenValid({ ...own, token }))).toBe(true)
  })

  it("is no good when a part of it is changed, left out or added", () => {
    const changed = (at: number) => {
      const bytes = Buffer.from(own.token, "base64url")
      bytes[at] ^= 1
      return bytes.toString("base64url")
    }
    const wrong = [changed(0), changed(31), changed(32), changed(63), own.token.slice(0, -2), `${own.token}AA`]
    expect(wrong.filter((token) => isTokenValid({ ...own, token }))).toEqual([])
  })
})

describe("where a form was posted from", () => {
  const hosts = ["pay.example", "localhost:9000"]
  it.each([
    ["same-origin", "null", true],
    ["none", undefined, true],
    ["cross-site", "https://evil.example", false],
    ["cross-site", "https://pay.example", false],
    ["same-site", "null", false],
    [undefined, "null", true],
    [undefined, undefined, true],
    [undefined, "https://pay.example", true],
    [undefined, "http://localhost:9000", true],
    [undefined, "https://evil.example", false],
    [undefined, "https://pay.example.evil.example", false],
    [undefined, "rubbish", false],
  ])("Sec-Fetch-Site %s and Origin %s: %s", (secFetchSite, origin, own) => {
    expect(isOwnPost({ secFetchSite, origin, hosts })).toBe(own)
  })
})

describe("cookies", () => {
  it("are read by name, the first of a name", () => {
    const cookies = readCookies("a=1; gateway_csrf=x=y; a=2; ;=z; b")
    expect([cookies.a, cookies.gateway_csrf, cookies.b]).toEqual(["1", "x=y", undefined])
  })

  it("are host-only, HttpOnly and Lax, with the __Host- prefix over https", () => {
    expect(cookiesFor(visitor({ isNew: true, secure: true }))).toEqual([
      `__Host-gateway_csrf=${"s".repeat(43)}; Path=/; HttpOnly; Secure; SameSite=Lax`,
    ])
    expect(cookiesFor(visitor({ isNew: true }))).toEqual([
      `gateway_csrf=${"s".repeat(43)}; Path=/pay; HttpOnly; SameSite=Lax`,
    ])
    expect(cookiesFor(visitor({ chosenLanguage: "bn" }))).toEqual([
      "gateway_lang=bn; Max-Age=31536000; Path=/pay; HttpOnly; SameSite=Lax",
    ])
    expect(cookiesFor(visitor())).toEqual([])
  })
})

describe("the paths under /pay", () => {
  it.each([
    [`/pay/${SESSION}`, ["GET", "HEAD", "POST"]],
    [`/pay/${SESSION}/cancel`, ["GET", "HEAD", "POST"]],
    [`/pay/${SESSION}/return`, ["GET", "HEAD", "POST"]],
    ["/pay/assets/page.0123456789abcdef.css", ["GET", "HEAD"]],
    ["/pay/assets/brand-00634a.0123456789abcdef.css", ["GET", "HEAD"]],
    ["/pay/assets/page.css", null],
    [`/pay/logo/${"0".repeat(64)}.png`, ["GET", "HEAD"]],
    [`/pay/logo/${"0".repeat(64)}.svg`, null],
    [`/pay/logo/${"0".repeat(63)}.png`, null],
    [`/pay/logo/${"0".repeat(64)}.png/more`, null],
    [`/pay/invoice/${INVOICE}`, ["GET", "HEAD", "POST"]],
    [`/pay/invoice/${INVOICE}/pdf`, ["GET", "HEAD"]],
    [`/pay/invoice/${INVOICE}/other`, null],
    [`/pay/invoice/${INVOICE}/pdf/more`, null],
    [`/pay/invoice/${SESSION}`, null],
    ["/pay/invoice", null],
    ["/pay/invoice/", null],
    ["/pay/invoice/%ff", null],
    ["/pay/assets/%ff", null],
    ["/pay", null],
    ["/pay/", null],
    ["/pay/ses_short", null],
    [`/pay/${SESSION}/`, null],
    [`/pay/${SESSION}/other`, null],
    [`/pay/${SESSION}/cancel/more`, null],
    ["/pay/%ff", null],
    [`/pay/${SESSION}%00`, null],
    ["/pay/assets", null],
    ["/pay/assets/a/b", null],
  ])("%s has the methods %s", (path, methods) => {
    const found = findPage(path)
    expect(found && methodsIn(found.route)).toEqual(methods)
  })
})

describe("the content security policy", () => {
  it("has no inline script or style and no nonce, and keeps forms on https", () => {
    const policy = contentSecurityPolicy(true)
    expect(policy).not.toMatch(/unsafe|nonce|http:/)
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self' https:;")
  })

  it("lets a sandbox's form lead to the one page of an acquirer that has no https, with its port", () => {
    expect(contentSecurityPolicy(true, true)).toContain("form-action 'self' https: http://sandbox.mynagad.com:10060;")
  })
})

describe("a redirect's address", () => {
  it.each([
    ["https://shop.example/a?b=%20c&d=1", "https://shop.example/a?b=%20c&d=1"],
    ["https://shop.example/দোকান", "https://shop.example/%e0%a6%a6%e0%a7%8b%e0%a6%95%e0%a6%be%e0%a6%a8"],
    ["https://shop.example/a\r\nSet-Cookie: x", "https://shop.example/a%0d%0aSet-Cookie:%20x"],
    ["https://shop.example/\ud800", "https://shop.example/%ef%bf%bd"],
  ])("%j is sent as ASCII, and never breaks the answer", (url, sent) => {
    expect(asciiUrl(url)).toBe(sent)
  })
})

describe("HSTS", () => {
  function headersFor(secure: boolean, production: boolean): Map<string, string> {
    const headers = new Map<string, string>([["X-Powered-By", "Express"]])
    const response = {
      setHeader: (name: string, value: string) => headers.set(name, value),
      removeHeader: (name: string) => headers.delete(name),
    }
    setSecurityHeaders(response as unknown as Parameters<typeof setSecurityHeaders>[0], { secure, production })
    return headers
  }

  it("is sent over https in production, and only there", () => {
    expect(headersFor(true, true).get("Strict-Transport-Security")).toBe("max-age=31536000")
    expect(headersFor(true, false).has("Strict-Transport-Security")).toBe(false)
    expect(headersFor(false, true).has("Strict-Transport-Security")).toBe(false)
    expect(headersFor(true, true).has("X-Powered-By")).toBe(false)
  })
})
