import fc from "fast-check"
import { canonicalAddress, canonicalNetwork, clientAddress, countedNetwork, isInNetworks } from "../http/ip"

describe("an address has one canonical text", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    [" 203.0.113.7 ", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["[2001:DB8::1]", "2001:db8::1"],
    ["2001:0db8:0:0:0:0:0:1", "2001:db8::1"],
    ["fe80::1%eth0", "fe80::1"],
  ])("%p is %p", (text, expected) => {
    expect(canonicalAddress(text)).toBe(expected)
  })

  it.each([
    "",
    "unknown",
    "_hidden",
    "203.0.113",
    "0x7f.1",
    "0177.0.0.1",
    "2130706433",
    "203.0.113.256",
    "1.2.3.4:80",
    "::g",
    "1.2.3.4/32",
  ])("%p is none", (text) => {
    expect(canonicalAddress(text)).toBeNull()
  })
})

describe("decisions: Rate limits — an address is counted by what one customer of a provider has", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::1", "2001:db8:1:3::/64"],
    ["::1", "::/64"],
  ])("%p is counted as %p", (address, expected) => {
    expect(countedNetwork(address)).toBe(expected)
  })
})

describe("contract 5.5 — networks of the allow-list", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7/32"],
    ["203.0.113.7/24", "203.0.113.7/24"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:db8::/32", "2001:db8::/32"],
    ["2001:db8::1", "2001:db8::1/128"],
    ["::ffff:203.0.113.0/120", "203.0.113.0/24"],
  ])("%p is kept as %p", (text, expected) => {
    expect(canonicalNetwork(text)).toBe(expected)
  })

  it.each([
    "",
    "shop.example.com",
    "203.0.113.7/33",
    "203.0.113.7/-1",
    "203.0.113.7/",
    "203.0.113.7/8/8",
    "203.0.113.7/a",
    "2001:db8::/129",
    "::ffff:203.0.113.0/24",
  ])("%p is refused", (text) => {
    expect(canonicalNetwork(text)).toBeNull()
  })

  it.each([
    ["203.0.113.7", ["203.0.113.0/24"], true],
    ["203.0.114.7", ["203.0.113.0/24"], false],
    ["203.0.113.7", ["203.0.113.7"], true],
    ["203.0.113.8", ["203.0.113.7"], false],
    ["203.0.113.130", ["203.0.113.129/25"], true],
    ["::ffff:203.0.113.7", ["203.0.113.0/24"], true],
    ["2001:db8::7", ["2001:db8::/64"], true],
    ["2001:db8:0:1::7", ["2001:db8::/64"], false],
    ["2001:db8::7", ["0.0.0.0/0"], false],
    ["203.0.113.7", ["::/0"], false],
    ["203.0.113.7", ["2001:db8::/64", "203.0.113.0/30", "203.0.113.4/30"], true],
    ["203.0.113.7", [], false],
    ["nonsense", ["0.0.0.0/0"], false],
  ])("%p in %p: %p", (address, networks, expected) => {
    expect(isInNetworks(address, networks)).toBe(expected)
  })

  it("agrees with arithmetic on the address (property)", () => {
    const octet = fc.integer({ min: 0, max: 255 })
    const address = fc.tuple(octet, octet, octet, octet)
    const number = (parts: number[]) => parts.reduce((value, part) => value * 256n + BigInt(part), 0n)
    fc.assert(
      fc.property(address, address, fc.integer({ min: 0, max: 32 }), (left, right, bits) => {
        const shift = BigInt(32 - bits)
        const inside = number(left) >> shift === number(right) >> shift
        return isInNetworks(left.join("."), [`${right.join(".")}/${bits}`]) === inside
      })
    )
  })
})

describe("the client's address behind proxies, read from right to left", () => {
  const proxies = ["10.0.0.0/8", "2001:db8:ffff::/48"]

  it.each([
    ["no proxies are trusted: the header is never believed", "203.0.113.7", "1.2.3.4", [], "203.0.113.7"],
    ["the peer is no proxy: the header is forged", "203.0.113.7", "1.2.3.4", proxies, "203.0.113.7"],
    ["one proxy", "10.0.0.1", "1.2.3.4", proxies, "1.2.3.4"],
    ["two proxies", "10.0.0.1", "1.2.3.4, 10.0.0.2", proxies, "1.2.3.4"],
    ["a forged entry left of the real one", "10.0.0.1", "9.9.9.9, 1.2.3.4", proxies, "1.2.3.4"],
    ["a forged trusted address left of the real one", "10.0.0.1", "10.9.9.9, 1.2.3.4", proxies, "1.2.3.4"],
    ["all of them proxies: the leftmost", "10.0.0.1", "10.0.0.3, 10.0.0.2", proxies, "10.0.0.3"],
    ["rubbish stops the reading", "10.0.0.1", "1.2.3.4, unknown", proxies, "10.0.0.1"],
    ["rubbish left of the client is not reached", "10.0.0.1", "<script>, 1.2.3.4", proxies, "1.2.3.4"],
    ["no header", "10.0.0.1", undefined, proxies, "10.0.0.1"],
    ["an empty header", "10.0.0.1", "", proxies, "10.0.0.1"],
    ["a mapped peer", "::ffff:10.0.0.1", "1.2.3.4", proxies, "1.2.3.4"],
    ["an IPv6 proxy and client", "2001:db8:ffff::1", "2001:db8::9", proxies, "2001:db8::9"],
    ["no peer at all", undefined, "1.2.3.4", proxies, "0.0.0.0"],
  ])("%s", (_name, peer, header, trusted, expected) => {
    expect(clientAddress(peer, header, trusted)).toBe(expected)
  })

  it("a header from an untrusted peer changes nothing, whatever it says (property)", () => {
    fc.assert(fc.property(fc.string(), (header) => clientAddress("203.0.113.7", header, proxies) === "203.0.113.7"))
  })

  it("whatever a client puts in front, the entry its proxy appended wins (property)", () => {
    fc.assert(
      fc.property(fc.string(), (forged) => clientAddress("10.0.0.1", `${forged}, 1.2.3.4`, proxies) === "1.2.3.4")
    )
  })
})
