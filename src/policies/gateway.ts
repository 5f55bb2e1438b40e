import { definePolicies } from "@medusajs/framework/utils"
import { AREAS, OPERATIONS } from "../api/admin-kit/areas"

const words = (resource: string) => resource.split("_")
const pascal = (resource: string) =>
  words(resource)
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join("")

/** The policies that roles of a store with RBAC can be given for the gateway's pages. */
export const gatewayPolicies = definePolicies(
  [...new Set(Object.values(AREAS))].flatMap((resource) =>
    OPERATIONS.map(({ operation }) => ({
      name: `${pascal(operation)}${pascal(resource)}`,
      resource,
      operation,
      description: `${pascal(operation)} ${words(resource).join(" ")}s`,
    }))
  )
)
