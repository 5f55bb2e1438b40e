import { operation } from "../../../../../../../v2-kit/operation"
import { bare } from "../../../../../../../v2-kit/answers"
import { CHANGE, CHANGE_CODES, PREVIEW_EXAMPLE, changePreview, presentPreview, readChange } from "../resource"

/** Says what a change would cost, and does nothing. */
export const POST = operation({
  id: "previewSubscriptionChange",
  tag: "Subscriptions",
  summary: "Preview a switch of plan",
  description: "What the same request to `/change` would charge now, line by line. Nothing is changed.",
  scope: "subscriptions:read",
  service: "subscriptions",
  body: CHANGE,
  answer: bare({ data: changePreview, description: "What the change would do.", example: PREVIEW_EXAMPLE }),
  codes: CHANGE_CODES,
  run: async ({ gateway, caller, params, body }) =>
    presentPreview(await gateway.subscriptionChanges.preview(caller, params.subscription_id, readChange(body))),
})
