import type { Tenant } from "../../modules/gateway/kernel/types"
import { GatewayError } from "../../modules/gateway/kernel/errors"
import type { Gateway } from "../../modules/gateway/container"

/** What an acquirer said about the credentials of one account; `problem` is null when it accepts them. */
type TestedAccount = { merchant: string; acquirer: string; problem: string | null; message: string }

/** Asks the acquirer of every active account in the environment whether it accepts the credentials. */
export async function testAcquirers(
  gateway: Gateway,
  { environment }: Pick<Tenant, "environment">
): Promise<TestedAccount[]> {
  const tested: TestedAccount[] = []
  for (const merchant of await gateway.merchants.list()) {
    const tenant = { merchant_id: merchant.id, environment }
    for (const { definition, account } of await gateway.acquirerAccounts.list(tenant)) {
      if (account?.is_active === true) {
        tested.push({
          merchant: merchant.name,
          acquirer: definition.name,
          ...(await outcomeOf(() => gateway.acquirerTests.test(tenant, definition.id))),
        })
      }
    }
  }
  return tested
}

async function outcomeOf(test: () => Promise<{ problem: string | null; message: string | null }>) {
  try {
    const { problem, message } = await test()
    return { problem, message: message ?? "" }
  } catch (error) {
    if (!GatewayError.is(error)) {
      throw error
    }
    // Its secrets do not decrypt, or it was tested too often within the hour.
    return { problem: error.code === "RATE_LIMIT_EXCEEDED" ? "not_tested" : "unreadable", message: error.message }
  }
}
