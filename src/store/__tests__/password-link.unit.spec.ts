import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { GATEWAY_MODULE } from "../../modules/gateway"
import { sendPasswordLink } from "../notifications"

type Mail = { to: string; content: { subject: string; text: string } }

function storeThatSends(createNotifications: (mail: Mail) => Promise<void>): MedusaContainer {
  const services: Record<string, unknown> = {
    [ContainerRegistrationKeys.QUERY]: { graph: async () => ({ data: [{ name: "Shop" }] }) },
    [GATEWAY_MODULE]: {
      options: { storeMerchantName: "Shop" },
      merchants: { storeMerchant: async (name: string) => ({ name, profile: { name_bn: "দোকান" } }) },
    },
    [Modules.NOTIFICATION]: { createNotifications },
  }
  return { resolve: (name: string) => services[name] } as unknown as MedusaContainer
}

it("docs/decisions/15: a password's link has the shop's name in the language of who asks", async () => {
  const subjects: string[] = []
  const container = storeThatSends(async ({ content }) => void subjects.push(content.subject))
  for (const locale of ["bn-BD", "en-GB"]) {
    const asked = { entity_id: "a@b.example", actor_type: "customer", token: "secret", metadata: { locale } }
    await sendPasswordLink(container, "https://shop.example/new", asked)
  }
  expect(subjects).toEqual(["দোকান: নতুন পাসওয়ার্ড বেছে নিন", "Shop: choose a new password"])
})

it("what Medusa logs when a password's link is not sent has neither the link nor the address", async () => {
  const container = storeThatSends(async ({ to, content }) => {
    throw Object.assign(new Error(`${to} does not take ${content.text}`), { code: "EENVELOPE" })
  })
  const asked = { entity_id: "a@b.example", actor_type: "customer", token: "secret" }
  const error: Error = await sendPasswordLink(container, "https://shop.example/new", asked).catch((thrown) => thrown)
  expect([error.message, error.cause]).toEqual([
    "gateway: the link of a password could not be sent: Error EENVELOPE",
    undefined,
  ])
})
