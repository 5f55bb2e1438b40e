import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

const answer = (_request: MedusaRequest, response: MedusaResponse) => void response.json({ success: true })

export const GET = answer
export const POST = answer
