import { useQuery, useQueryClient } from "@tanstack/react-query"
import { createContext, useCallback, useContext, useEffect, useMemo } from "react"
import { useSearchParams } from "react-router-dom"
import { knownZone } from "../../i18n/days"
import { HOME_TIME_ZONE } from "../../i18n/formats"
import { type AdminError, request } from "./http"

export type Environment = "sandbox" | "production"
export type Tenant = { merchant_id: string; environment: Environment }

/** GET /admin/gateway: what the admin's pages start with. */
type Frame = {
  environment: Environment
  base_urls: { sandbox: string; production: string | null }
  /** Null: the reference pages are switched off. */
  reference_url: string | null
  default_merchant_id: string
  /** `time_zones`: whose days and clocks the pages of each environment show (IANA). */
  merchants: { id: string; number: number; name: string; status: string; time_zones: Record<Environment, string> }[]
  event_types: string[]
  /** What is done to each kind of thing that the audit log knows. */
  audit_actions: Record<string, string[]>
  scopes: string[]
  /** The first segments of the paths below which the signed-in admin may read. */
  readable_areas: string[]
  /** Those below which they may change something. */
  changeable_areas: string[]
  /** Those below which they may delete something. */
  deletable_areas: string[]
}

const STORAGE = "gateway.admin"
const MERCHANT = "merchant_id"
const ENVIRONMENT = "environment"

const FRAME = ["gateway", "frame"]

/**
 * `kept`: once answered it is not fetched again, for what Medusa's admin mounts on every page, and some twice. A refusal
 * stands until the pages are loaded again: asking anew would show the menu for a moment to who may read no page.
 */
export function useFrame({ kept = false } = {}) {
  const isRefused = useQueryClient().getQueryState<Frame, AdminError>(FRAME)?.error?.status === 403
  return useQuery<Frame, AdminError>({
    queryKey: FRAME,
    queryFn: ({ signal }) => request<Frame>("", { signal }),
    retry: (failures, error) => failures < 1 && !error.isRefusal,
    retryOnMount: !isRefused,
    ...(kept ? { staleTime: Infinity } : {}),
  })
}

/**
 * The merchant and environment on screen: from the address, otherwise the last choice in this tab, otherwise the last
 * one in the browser, otherwise the store's own merchant in the deployment's environment. Null until the merchants are
 * known.
 */
export function useTenant(): { tenant: Tenant | null; choose: (change: Partial<Tenant>) => void } {
  const { data: frame } = useFrame()
  const [search, setSearch] = useSearchParams()
  const [merchant, environment] = [search.get(MERCHANT), search.get(ENVIRONMENT)]
  const tenant = useMemo((): Tenant | null => {
    if (frame === undefined) {
      return null
    }
    const kept = readKept()
    const known = [merchant, kept.merchant_id].find((id) => frame.merchants.some((one) => one.id === id))
    const chosen = [environment, kept.environment].find(isEnvironment)
    return { merchant_id: known ?? frame.default_merchant_id, environment: chosen ?? frame.environment }
  }, [frame, merchant, environment])

  // They stay chosen on the following pages, those of a link too. Each tab has its own: what is chosen in another one
  // must not change where a form that opens here writes.
  useEffect(() => {
    if (tenant !== null) {
      keepIn("sessionStorage", tenant)
    }
    if (tenant !== null && (merchant !== null || environment !== null)) {
      keepIn("localStorage", tenant)
    }
  }, [tenant, merchant, environment])

  const choose = useCallback(
    (change: Partial<Tenant>) => {
      if (tenant !== null) {
        const next = { ...tenant, ...change }
        // Kept once the address has changed: the admin may stay, because of what is typed here. Filters and pages of
        // one environment mean nothing in another.
        setSearch({ [MERCHANT]: next.merchant_id, [ENVIRONMENT]: next.environment })
      }
    },
    [tenant, setSearch]
  )
  return { tenant, choose }
}

const Owner = createContext<Tenant | null>(null)
/** Around what belongs to another merchant or environment than those on screen, such as a payment on an order's page. */
export const OwnerProvider = Owner.Provider

/**
 * The time zone (IANA) of the merchant and environment whose days and times are shown (decisions: Days). UTC where the
 * browser's database of zones is older than the server's, and this one is not in it.
 */
export function useTimeZone(): string {
  return knownZone(useMerchantZone())
}

/** The same, though the browser may not have it. */
export function useMerchantZone(): string {
  const { data: frame } = useFrame()
  const { tenant } = useTenant()
  const { merchant_id, environment } = useContext(Owner) ?? tenant ?? {}
  const merchant = frame?.merchants.find(({ id }) => id === merchant_id)
  return (environment && merchant?.time_zones[environment]) ?? HOME_TIME_ZONE
}

function isEnvironment(value: unknown): value is Environment {
  return value === "sandbox" || value === "production"
}

function readKept(): Partial<Tenant> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(STORAGE) ?? localStorage.getItem(STORAGE) ?? "{}")
    return typeof kept === "object" && kept !== null ? kept : {}
  } catch {
    return {}
  }
}

/** Without storage the browser only forgets the choice. */
function keepIn(storage: "sessionStorage" | "localStorage", tenant: Tenant): void {
  try {
    window[storage].setItem(STORAGE, JSON.stringify(tenant))
  } catch {
    return
  }
}
