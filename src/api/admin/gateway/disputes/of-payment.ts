import type { ListedDispute } from "../../../../modules/gateway/disputes/list"
import type { Scope } from "../../../../modules/gateway/kernel/types"
import { AREAS } from "../../../admin-kit/areas"
import type { AdminContext } from "../../../admin-kit/endpoint"
import { mayDo } from "../../../admin-kit/permissions"

/** More than a payment ever has: a bank takes one up again a few times at most. */
const DISPUTES_MAX = 100

/** The disputes of a payment of `tenant`; null: the admin may not see them. */
export async function disputesFor(
  { gateway, request }: Pick<AdminContext, "gateway" | "request">,
  tenant: Scope,
  transaction_id: string
): Promise<ListedDispute[] | null> {
  if (!(await mayDo(request, { resource: AREAS.disputes, operation: "read" }))) {
    return null
  }
  return (await gateway.disputeList.page(tenant, { transaction_id }, { per_page: DISPUTES_MAX, offset: 0 })).rows
}
