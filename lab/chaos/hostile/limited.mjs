import { fuzz } from "./fuzz.mjs"
import { openAttackedStore } from "./attacked-store.mjs"

const REQUESTS_A_MINUTE = "120"

/** The same requests, `counts.limited` of them, at a store whose rate limits are on: a refusal keeps the contract's shape too. */
export async function limited(context) {
  const { counts, server, report } = context
  const attacked = await openAttackedStore(server, { env: { GATEWAY_RATE_LIMIT: REQUESTS_A_MINUTE } })
  try {
    const figures = await fuzz({ ...context, ...attacked, counts: { ...counts, requests: counts.limited } })
    if (!figures.by_status["429"]) {
      report({ what: "nothing was limited", detail: JSON.stringify(figures) })
    }
    return figures
  } finally {
    await attacked.close()
  }
}
