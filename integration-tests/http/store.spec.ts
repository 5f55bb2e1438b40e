import { useStore } from "../support/store"

const store = useStore()

describe("a store under test", () => {
  it("answers over HTTP, on a database of its own", async () => {
    const health = await fetch(`${store.url}/health`)
    expect(health.status).toBe(200)
    const { rows } = await store.db.raw("SELECT current_database() AS name")
    expect(rows[0].name).toBe(new URL(store.databaseUrl).pathname.slice(1))
  })

  it("refuses the Store API without a publishable key, as Medusa does", async () => {
    const products = await fetch(`${store.url}/store/products`)
    expect(products.status).toBe(400)
    expect(await products.json()).toMatchObject({ type: "not_allowed" })
  })

  it("gets a second real process on the same database, which dies when it is killed", async () => {
    const server = await store.startServerProcess()
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    await server.kill("SIGKILL")
    await expect(fetch(`${server.url}/health`)).rejects.toThrow()
  })
})
