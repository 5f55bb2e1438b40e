import { ownSubscription, presentOwn, readAddress } from "../../resource"

/** Changes where the renewals are sent. Orders that were made, and their invoices, stay as they are. */
export const POST = ownSubscription(async ({ gateway, owner, row, body }) => ({
  subscription: presentOwn(await gateway.storeSubscriptions.move(owner, row.uuid, readAddress(body))),
}))
