import type { ServerResponse } from "node:http"
import { gatewayOf, type PageRequest } from "../../../page-kit/request"
import { admitAccount } from "../../flow/session"
import { isStorefront, readForm } from "../../http/request"
import { answer } from "../../http/respond"

/** A reload: the payment page shows what this browser may use. */
export async function GET(req: PageRequest, res: ServerResponse): Promise<void> {
  await answer(req, res, async ({ sessionId }) => ({ status: 303, location: `/pay/${sessionId}` }))
}

/**
 * Where a signed-in customer's storefront sends the browser with its proof, by a form of its own page (docs/hosts.md).
 * The form comes from another site, so it has no token of ours: its origin must be a storefront's.
 */
export async function POST(req: PageRequest, res: ServerResponse): Promise<void> {
  await answer(req, res, async ({ sessionId, path, visitor }) => {
    const gateway = gatewayOf(req)
    const fields = await readForm(req, gateway.options.server.bodySeconds)
    const input = { sessionId, path, visitor, proof: isStorefront(req) ? (fields.get("proof") ?? "") : "" }
    return admitAccount(input, (id, proof) => gateway.accountAccess.claim(id, proof))
  })
}
