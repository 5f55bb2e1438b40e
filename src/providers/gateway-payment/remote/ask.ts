import type { RemoteGateway } from "./client"
import { demand } from "./demand"
import { statusOf, type RemoteSessionData } from "./session"

/** A checkout with the status that the other deployment gives it at this moment. Throws when that stays unknown. */
export async function askStatus(remote: RemoteGateway, data: RemoteSessionData): Promise<RemoteSessionData> {
  const verified = demand(await remote.verify(data.transaction_id), "The payment")
  return { ...data, status: statusOf(data, verified) }
}
