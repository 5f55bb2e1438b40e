import { refusalOfCookieRequest, type CookieRequest } from "../cookie-request"

const OWN: CookieRequest = {
  method: "POST",
  contentType: "application/json",
  hasBody: true,
  origin: undefined,
  secFetchSite: undefined,
  hosts: ["shop.example.com", "pay.example.com:8443"],
  allowed: ["https://admin.example.com", /^https:\/\/[a-z]+\.preview\.example\.com$/],
}

describe("decisions: Origins — requests that a session cookie signs in", () => {
  it.each<[string, Partial<CookieRequest>]>([
    ["JSON of a client that is no browser", {}],
    ["JSON with a charset", { contentType: "Application/JSON; charset=utf-8" }],
    ["a file's bytes", { contentType: "application/octet-stream", secFetchSite: "same-origin" }],
    ["nothing, of a client that is no browser", { hasBody: false, contentType: undefined }],
    ["a page of the same origin", { secFetchSite: "same-origin", origin: "https://shop.example.com" }],
    [
      "a page of the same origin behind a proxy that changes the host",
      { secFetchSite: "same-origin", origin: "https://outside.example.com" },
    ],
    ["an old browser on the same host", { origin: "https://shop.example.com" }],
    ["an old browser on the public address", { origin: "https://pay.example.com:8443" }],
    ["an allowed origin", { secFetchSite: "same-site", origin: "https://admin.example.com" }],
    [
      "an origin that an allowed pattern matches",
      { secFetchSite: "cross-site", origin: "https://branch.preview.example.com" },
    ],
    [
      "a deletion without a body",
      { method: "DELETE", hasBody: false, contentType: undefined, secFetchSite: "same-origin" },
    ],
    [
      "reading, from wherever",
      {
        method: "GET",
        hasBody: false,
        contentType: undefined,
        secFetchSite: "cross-site",
        origin: "https://evil.example",
      },
    ],
    ["a preflight", { method: "OPTIONS", hasBody: false, secFetchSite: "cross-site", origin: "https://evil.example" }],
  ])("are taken from %s", (_what, sent) => {
    expect(refusalOfCookieRequest({ ...OWN, ...sent })).toBeNull()
  })

  it.each<[string, Partial<CookieRequest>]>([
    ["a form", { contentType: "application/x-www-form-urlencoded" }],
    [
      "a form of the same origin",
      {
        contentType: "application/x-www-form-urlencoded",
        secFetchSite: "same-origin",
        origin: "https://shop.example.com",
      },
    ],
    ["a form with files", { contentType: "multipart/form-data; boundary=x" }],
    ["JSON that calls itself text", { contentType: "text/plain" }],
    ["JSON of no type", { contentType: undefined }],
    ["a file's bytes from a foreign site", { contentType: "application/octet-stream", secFetchSite: "cross-site" }],
    ["a type that only begins like JSON", { contentType: "application/jsonp" }],
    ["a foreign origin", { origin: "https://evil.example" }],
    ["a foreign origin without a body", { origin: "https://evil.example", hasBody: false, contentType: undefined }],
    ["a foreign origin that deletes", { method: "DELETE", origin: "https://evil.example", hasBody: false }],
    ["a foreign site", { secFetchSite: "cross-site", origin: "https://evil.example" }],
    ["a foreign site that hides its origin", { secFetchSite: "cross-site", origin: "null" }],
    ["a foreign site without an origin", { secFetchSite: "cross-site" }],
    ["a sibling host that is not allowed", { secFetchSite: "same-site", origin: "https://blog.example.com" }],
    ["a hidden origin", { origin: "null" }],
    ["an origin that is none", { origin: "https://" }],
    ["the own host on another port", { origin: "https://shop.example.com:444" }],
    ["a host that begins like the own one", { origin: "https://shop.example.com.evil.example" }],
    ["an allowed origin with something behind it", { origin: "https://admin.example.com.evil.example" }],
    ["an allowed origin over http", { origin: "http://admin.example.com" }],
    ["an unknown method", { method: "FROB", origin: "https://evil.example" }],
  ])("are refused from %s", (_what, sent) => {
    expect(refusalOfCookieRequest({ ...OWN, ...sent })).toMatch(/cookie signs in/)
  })
})
