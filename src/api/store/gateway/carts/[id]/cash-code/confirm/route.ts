import { z } from "@medusajs/framework/zod"
import { asciiDigits } from "../../../../../../../i18n/typed"
import { confirmCashCode } from "../../../../../../../store/cash/codes"
import { answering } from "../../../../../../admin-kit/endpoint"
import { parsedBody } from "../../../../../../v2-kit/body"
import { parse, text } from "../../../../../../v2-kit/validate"

const CODE_MAX_CHARS = 20
/** Digits of any script, with the spaces that people write between them. */
const schema = z.object({ code: text(CODE_MAX_CHARS).transform((code) => asciiDigits(code).replace(/\s/g, "")) })

/** The shopper has the phone: the order may be placed. Errors: CASH_CODE_WRONG, CASH_CODE_EXPIRED. */
export const POST = answering(async (request) => {
  const { code } = parse(schema, parsedBody(request.body))
  await confirmCashCode(request.scope, request.params.id, code)
  return { cash_code: { confirmed: true } }
})
