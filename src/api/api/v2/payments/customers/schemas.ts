import { z } from "@medusajs/framework/zod"
import { text } from "../../../../v2-kit/validate"

export const filterSchema = z.object({ email: text(254).optional() })
