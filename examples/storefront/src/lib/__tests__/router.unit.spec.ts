import { matchRoute, type Routes } from "../router"

const [home, product, pay] = [jest.fn(), jest.fn(), jest.fn()]
const routes: Routes = { "/": home, "/products/:handle": product, "/checkout/pay": pay }

describe("matchRoute", () => {
  it.each(["", "#", "#/"])("takes %p for the first screen", (hash) => {
    expect(matchRoute(routes, hash)?.screen).toBe(home)
  })

  it("passes what stands in the place of a name, decoded", () => {
    expect(matchRoute(routes, "#/products/jute%20bag")).toMatchObject({
      screen: product,
      params: { handle: "jute bag" },
    })
  })

  it("reads the query after the path", () => {
    const route = matchRoute(routes, "#/checkout/pay?payment=failed")
    expect(route?.screen).toBe(pay)
    expect(route?.query.get("payment")).toBe("failed")
  })

  it.each(["#/products", "#/products/a/b", "#/nothing", "#/checkout/pay/now"])("finds nothing at %s", (hash) => {
    expect(matchRoute(routes, hash)).toBeNull()
  })

  it("survives a stray percent sign", () => {
    expect(matchRoute(routes, "#/products/50%")?.params).toEqual({ handle: "50%" })
  })
})
