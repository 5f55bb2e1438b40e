import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { sendPasswordLink } from "../notifications"

it("what Medusa logs when a password's link is not sent has neither the link nor the address", async () => {
  const services: Record<string, unknown> = {
    [ContainerRegistrationKeys.QUERY]: { graph: async () => ({ data: [{ name: "Shop" }] }) },
    [Modules.NOTIFICATION]: {
      createNotifications: async ({ to, content }: { to: string; content: { text: string } }) => {
        throw Object.assign(new Error(`${to} does not take ${content.text}`), { code: "EENVELOPE" })
      },
    },
  }
  const container = { resolve: (name: string) => services[name] } as unknown as MedusaContainer
  const asked = { entity_id: "a@b.example", actor_type: "customer", token: "secret" }
  const error: Error = await sendPasswordLink(container, "https://shop.example/new", asked).catch((thrown) => thrown)
  expect([error.message, error.cause]).toEqual([
    "gateway: the link of a password could not be sent: Error EENVELOPE",
    undefined,
  ])
})
