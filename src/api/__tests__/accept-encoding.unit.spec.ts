import { acceptsEncoding } from "../accept-encoding"

describe("Accept-Encoding of the reference's files", () => {
  it.each([
    ["gzip", true],
    ["br, GZIP;q=0.5", true],
    ["*", true],
    ["gzip;q=0, *", false],
    ["gzip; q=0.000", false],
    ["identity", false],
    ["", false],
    [undefined, false],
  ])("%p: %p", (header, expected) => expect(acceptsEncoding("gzip", header)).toBe(expected))
})
