import { toast } from "@medusajs/ui"
import { keepPreviousData, useMutation, useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query"
import { useCallback } from "react"
import { useTenant } from "./admin-api"
import { download, request, type AdminError, type Query, type Request } from "./http"
import type { RequestKey } from "./request-key"
import { sentences, useText } from "./text"

/** Refetches what is on screen; and Medusa's orders, whose own pages show payments and refunds, when they are next. */
export function refreshAll(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: ["orders"] })
  return client.invalidateQueries({ queryKey: ["gateway"] })
}

/** Fetches data of the chosen merchant and environment; `enabled: false` waits. */
export function useAdminQuery<Answer>(path: string, query: Query = {}, enabled = true) {
  const { tenant } = useTenant()
  return useQuery<Answer, AdminError>({
    queryKey: ["gateway", tenant, path, query],
    queryFn: ({ signal }) => request<Answer>(path, { query: { ...query, ...tenant }, signal }),
    enabled: enabled && tenant !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: (failures, error) => failures < 1 && !error.isRefusal,
  })
}

/** The state of the chosen merchant and environment. `offset_seconds`: how far its clock is ahead, 0 in production. */
type TenantState = { has_acquirer: boolean; offset_seconds: number }

export function useTenantState(): TenantState | undefined {
  const { data, isPlaceholderData } = useAdminQuery<TenantState>("/tenant")
  return isPlaceholderData ? undefined : data
}

export type Change<Input> = {
  path: (input: Input) => string
  method?: "POST" | "DELETE" | "GET"
  query?: (input: Input) => Query
  body?: (input: Input) => unknown
  /** The idempotency key of what must not be done twice. It becomes a member of the body, which must be an object. */
  key?: RequestKey
  /** Uploaded in place of a body. */
  file?: (input: Input) => Blob
}

type Outcome<Answer> = { done?: (answer: Answer, isRepeated: boolean) => string; onDone?: (answer: Answer) => void }

/**
 * Changes something of the chosen merchant and environment, confirms it in a toast, and refetches what is on screen. Of
 * a refusal, `faultOf` gives each field of a form its own part; the rest goes to a toast.
 */
export function useAdminMutation<Input, Answer = unknown>(
  { path, method = "POST", query, body, key, file }: Change<Input>,
  { done, onDone }: Outcome<Answer> = {}
) {
  const { tenant } = useTenant()
  const client = useQueryClient()
  const refetch = () => refreshAll(client)
  const report = useErrorToast()
  return useMutation<Answer, AdminError, Input>({
    mutationFn: (input) => {
      const options: Request = {
        method,
        query: { ...query?.(input), ...tenant },
        body: key === undefined ? body?.(input) : key.sign(body?.(input) ?? {}),
        file: file?.(input),
      }
      return request<Answer>(path(input), options)
    },
    onSuccess: (answer) => {
      const isRepeated = key?.isRepeated() ?? false
      key?.done()
      if (done !== undefined) {
        toast.success(done(answer, isRepeated))
      }
      onDone?.(answer)
      // Pending until what is on screen is fresh: a button must not act on what was there before.
      return refetch()
    },
    onError: (error) => {
      if (error.isRefusal) {
        key?.refused()
      } else {
        void refetch()
      }
      report(error)
    },
  })
}

/** Downloads a file of the chosen merchant and environment. */
export function useDownload() {
  const { tenant } = useTenant()
  const report = useErrorToast()
  return useMutation<void, AdminError, { path: string; query?: Query }>({
    mutationFn: ({ path, query }) => download(path, { ...query, ...tenant }),
    onError: report,
  })
}

/** By then the fields of a form have been rendered with the error. */
const RENDERED_AFTER_MS = 100

/** Reports in a toast what no field shows: of a form that was closed meanwhile, all of it. */
function useErrorToast(): (error: AdminError) => void {
  const say = useText()
  return useCallback(
    (error) =>
      void setTimeout(() => {
        const faults = error.faults ?? []
        const unseen = faults.filter((fault) => !error.shown.has(fault))
        if (faults.length === 0 || unseen.length > 0) {
          const description = unseen.length > 0 ? sentences(unseen.map(({ message }) => message)) : error.message
          toast.error(say(error.isRefusal ? "common.failed" : "common.unsure"), { description })
        }
      }, RENDERED_AFTER_MS),
    [say]
  )
}

export type Owned = { merchant_id: string; environment: string }

/** An order's page is nobody's admin: its links say whose they lead to. */
export function adminOf({ merchant_id, environment }: Owned): string {
  return `merchant_id=${merchant_id}&environment=${environment}`
}
