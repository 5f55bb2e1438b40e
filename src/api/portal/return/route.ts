import type { ServerResponse } from "node:http"
import { queryValue, type PageRequest } from "../../page-kit/request"
import { portalCookieName, readCookies } from "../../pay/http/csrf"
import { answer } from "../../pay/http/respond"
import { comeBack } from "../flow/act"

/** Where a checkout that changes a payment method leads back to. */
export async function GET(req: PageRequest, res: ServerResponse): Promise<void> {
  await answer(
    req,
    res,
    async ({ visitor }) => {
      const token = readCookies(req.headers.cookie)[portalCookieName(visitor.secure)] ?? null
      return comeBack(visitor, token, queryValue(req, "status"))
    },
    { id: "portal", exists: true, path: "/portal" }
  )
}
