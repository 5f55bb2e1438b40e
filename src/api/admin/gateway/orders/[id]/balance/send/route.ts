import { z } from "@medusajs/framework/zod"
import { balanceToCollect } from "../../../../../../../store/balance/collect"
import { mailBalance } from "../../../../../../../store/balance/mail"
import { storeEndpoint } from "../../../../../../admin-kit/endpoint"
import { publicUrlOf } from "../../../../../../v2-kit/target"
import { parse, text } from "../../../../../../v2-kit/validate"
import { presentBalance } from "../resource"

const bodySchema = z.object({ request_key: text(64) })

/** Sends the shopper the address by e-mail. A repeated `request_key` sends it once. */
export const POST = storeEndpoint(async ({ gateway, request, params, actor, body }) => {
  const { request_key: key } = parse(bodySchema, body)
  await mailBalance(request.scope, params.id, { actor, key })
  const balance = await balanceToCollect(request.scope, params.id)
  return { balance: presentBalance(balance, publicUrlOf(gateway, request)) }
})
