import { z } from "@medusajs/framework/zod"
import { ACCOUNTS } from "../../../../../modules/gateway/ledger/rules"
import { tenantEndpoint } from "../../../../admin-kit/endpoint"
import { one } from "../../../../admin-kit/list"
import { parse, text, withoutAbsent } from "../../../../v2-kit/validate"

const schema = z.object({ account: one(ACCOUNTS), number: text(32).optional() })

/** The accounts of the ledger, each with the number that the merchant's accountant has for it; null: none. */
export const GET = tenantEndpoint(async ({ gateway, tenant }) => ({
  accounts: await gateway.settlementJournal.accounts(tenant),
}))

/** Sets the `number` of an `account` for the journal; without one it has none. */
export const POST = tenantEndpoint(async ({ gateway, tenant, body }) => {
  const { account, number } = parse(schema, withoutAbsent(body, []))
  await gateway.settlementJournal.number(tenant, account, number ?? null)
  return { accounts: await gateway.settlementJournal.accounts(tenant) }
})
