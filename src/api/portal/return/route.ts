import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { portalCookieName, readCookies } from "../../pay/http/cookies"
import { answer } from "../../pay/http/respond"
import { queryValue } from "../../pay/http/visitor"
import { comeBack } from "../flow/come-back"

/** Where a checkout that changes a payment method leads back to. */
export async function GET(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  await answer(
    req,
    res,
    async ({ visitor }) => {
      const token = readCookies(req.headers.cookie).get(portalCookieName(visitor.secure)) ?? null
      return comeBack(visitor, token, queryValue(req, "status"))
    },
    { id: "portal", exists: true, path: "/portal" }
  )
}
