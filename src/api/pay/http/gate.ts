import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { INVOICE_TOKEN, SESSION_ID } from "../../../modules/gateway/domain/ids"
import { isTooLong } from "../../contract/long-target"
import { ASSET_FILE } from "../client/assets"
import { problemPage } from "../view/status"
import { notFoundReply, sendReply } from "./respond"
import { visitorOf } from "./visitor"

const READ = ["GET", "HEAD"]
const READ_AND_POST = ["GET", "HEAD", "POST"]

/** The methods of a path under /pay, or null when there is no such path. */
export function methodsOf(path: string): readonly string[] | null {
  const [, root, first, second, ...rest] = path.split("/")
  if (root === "pay" && first === "invoice") {
    return methodsOfInvoice(second ?? "", rest)
  }
  if (root !== "pay" || first === undefined || rest.length > 0) {
    return null
  }
  if (first === "assets") {
    return ASSET_FILE.test(second ?? "") ? READ : null
  }
  const known = second === undefined || second === "cancel" || second === "return"
  return known && SESSION_ID.test(first) ? READ_AND_POST : null
}

function methodsOfInvoice(token: string, [part, ...more]: readonly string[]): readonly string[] | null {
  if (!INVOICE_TOKEN.test(token) || more.length > 0) {
    return null
  }
  return part === undefined ? READ_AND_POST : part === "pdf" ? READ : null
}

/**
 * Stands before every route under /pay and answers what none of them takes, so that a mistyped address, a broken
 * percent escape or a wrong method meets our page instead of Express's or Medusa's.
 */
export function payGate(req: MedusaRequest, res: MedusaResponse, next: MedusaNextFunction): void {
  const tooLong = isTooLong(req.originalUrl)
  const methods = tooLong ? null : methodsOf(req.originalUrl.split("?")[0])
  if (methods?.includes(req.method)) {
    next()
    return
  }
  const visitor = visitorOf(req)
  if (tooLong) {
    sendReply(res, visitor, { status: 414, body: problemPage("unknown", { language: visitor.language, path: null }) })
    return
  }
  if (methods === null) {
    sendReply(res, visitor, notFoundReply(visitor))
    return
  }
  res.setHeader("Allow", methods.join(", "))
  sendReply(res, visitor, {
    status: 405,
    body: problemPage("wrongMethod", { language: visitor.language, path: null }),
  })
}
