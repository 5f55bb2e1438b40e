import { envelopeOf } from "../../../../v2-kit/openapi/fields"
import type { Documented } from "../../../../v2-kit/openapi/operation"
import { portalSession } from "./answers"
import { sessionSchema } from "./schemas"

export const operations: readonly Documented[] = [
  {
    method: "POST",
    path: "/payments/portal-sessions",
    id: "createPortalSession",
    tag: "Customer portal",
    summary: "Let a customer into the portal",
    description: [
      "In the portal a customer pauses, resumes and cancels subscriptions, changes the payment method, and reads invoices.",
      "Redirect your signed-in customer to `url`. It ends 30 minutes after its last use.",
    ].join(" "),
    body: {
      name: "NewPortalSession",
      schema: sessionSchema,
      notes: {
        customer_id: {
          type: ["integer", "string"],
          anyOf: undefined,
          description: "The customer, by its `id` or its `uuid`.",
        },
        return_url: { format: "uri", maxLength: 255, description: "Where the portal leads back to, on a public host." },
      },
      example: { customer_id: 1001, return_url: "https://shop.example.com/account" },
    },
    answer: {
      status: 201,
      description: "The way in. Only this answer shows it.",
      schema: () => envelopeOf(portalSession()),
      example: {
        success: true,
        message: "Portal session created",
        data: {
          portal_session_id: "prs_0193a5f0c2d4000001a1b2c3d4e5",
          url: "https://shop.example.com/portal/ptl_UG9ydGFsU2Vzc2lvbkV4YW1wbGVUb2tlbjAx",
          customer_id: 1001,
          customer_uuid: "5a1f0c33-8a2e-4a5b-9f10-7c6d5e4f3a2b",
          return_url: "https://shop.example.com/account",
          expires_at: "2027-03-01T10:30:00.000Z",
          login_url: "https://shop.example.com/portal",
        },
        meta: {},
      },
    },
    codes: ["CUSTOMER_NOT_FOUND", "INVALID_CALLBACK_URL", "MISSING_REQUIRED_FIELD"],
  },
]
