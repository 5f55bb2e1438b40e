import { operation } from "../../../../v2-kit/operation"
import { portalSession, presentPortalSession, readPortalSession, sessionSchema } from "./resource"
import { enveloped } from "../../../../v2-kit/answers"

/** Makes a link to the customer portal (docs/decisions/18). It is shown only in this answer. */
export const POST = operation({
  id: "createPortalSession",
  tag: "Customer portal",
  summary: "Let a customer into the portal",
  description: [
    "In the portal a customer pauses, resumes and cancels subscriptions, changes the payment method, and reads invoices.",
    "Redirect your signed-in customer to `url`. It ends 30 minutes after its last use.",
  ].join(" "),
  scope: "subscriptions:write",
  service: "subscriptions",
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
  answer: enveloped({
    message: "Portal session created",
    data: portalSession,
    status: 201,
    description: "The way in. Only this answer shows it.",
    example: {
      portal_session_id: "prs_0193a5f0c2d4000001a1b2c3d4e5",
      url: "https://shop.example.com/portal/ptl_UG9ydGFsU2Vzc2lvbkV4YW1wbGVUb2tlbjAx",
      customer_id: 1001,
      customer_uuid: "5a1f0c33-8a2e-4a5b-9f10-7c6d5e4f3a2b",
      return_url: "https://shop.example.com/account",
      expires_at: "2027-03-01T10:30:00.000Z",
      login_url: "https://shop.example.com/portal",
    },
  }),
  codes: ["CUSTOMER_NOT_FOUND", "INVALID_CALLBACK_URL", "MISSING_REQUIRED_FIELD"],
  run: async ({ gateway, caller, body, claim, publicUrl }) => {
    const request = readPortalSession(body, gateway.options.allowPrivateUrls)
    const link = await gateway.portalSessions.create(caller, request, claim?.id ?? null)
    return presentPortalSession(link, request.return_url, caller, publicUrl)
  },
})
