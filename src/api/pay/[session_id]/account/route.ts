import { SESSION_ID } from "../../../../modules/gateway/kernel/text/ids"
import { gatewayOf, page } from "../../../page-kit/request"
import { admitAccount } from "../../flow/session"
import { isStorefront, readForm } from "../../http/request"
import { answer } from "../../http/respond"

const PARAMS = { session_id: SESSION_ID }

/** A reload: the payment page shows what this browser may use. */
export const GET = page(PARAMS, async (req, res) => {
  await answer(req, res, async ({ sessionId }) => ({ status: 303, location: `/pay/${sessionId}` }))
})

/**
 * Where a signed-in customer's storefront sends the browser with its proof, by a form of its own page (docs/hosts.md).
 * The form comes from another site, so it has no token of ours: its origin must be a storefront's.
 */
export const POST = page(PARAMS, async (req, res) => {
  await answer(req, res, async ({ sessionId, path, visitor }) => {
    const gateway = gatewayOf(req)
    const fields = await readForm(req, gateway.options.server.bodySeconds)
    const input = { sessionId, path, visitor, proof: isStorefront(req) ? (fields.get("proof") ?? "") : "" }
    return admitAccount(input, (id, proof) => gateway.accountAccess.claim(id, proof))
  })
})
