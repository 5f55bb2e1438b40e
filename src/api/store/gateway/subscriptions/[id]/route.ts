import { ownSubscription, presentOwn } from "../resource"

export const GET = ownSubscription(async ({ row }) => ({ subscription: presentOwn(row) }))
