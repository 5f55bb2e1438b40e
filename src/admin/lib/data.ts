import { toast } from "@medusajs/ui"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useTenant } from "./admin-api"
import { download, request, type AdminError, type Query, type Request } from "./http"
import { useText } from "./text"

/** Fetches data of the chosen merchant and environment; `enabled: false` waits. */
export function useAdminQuery<Answer>(path: string, query: Query = {}, enabled = true) {
  const { tenant } = useTenant()
  return useQuery<Answer, AdminError>({
    queryKey: ["gateway", tenant, path, query],
    queryFn: ({ signal }) => request<Answer>(path, { query: { ...query, ...tenant }, signal }),
    enabled: enabled && tenant !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: (failures, error) => failures < 1 && (error.status === undefined || error.status >= 500),
  })
}

type Change<Input> = {
  path: (input: Input) => string
  method?: "POST" | "DELETE"
  query?: (input: Input) => Query
  body?: (input: Input) => unknown
  /** Uploaded in place of a body. */
  file?: (input: Input) => Blob
}

type Outcome<Answer> = { done?: (answer: Answer) => string; onDone?: (answer: Answer) => void }

/**
 * Changes something of the chosen merchant and environment, confirms it in a toast, and refetches what is on screen. A
 * refusal goes to the form when it names one of the form's fields, and to a toast otherwise.
 */
export function useAdminMutation<Input, Answer = unknown>(change: Change<Input>, outcome: Outcome<Answer> = {}) {
  return useChange(change, outcome, true)
}

/** The same for a button without a form: nothing beside it shows a refused field, so every refusal is a toast. */
export function useAdminAction<Input, Answer = unknown>(change: Change<Input>, outcome: Outcome<Answer> = {}) {
  return useChange(change, outcome, false)
}

function useChange<Input, Answer>(
  { path, method = "POST", query, body, file }: Change<Input>,
  { done, onDone }: Outcome<Answer>,
  hasForm: boolean
) {
  const { tenant } = useTenant()
  const client = useQueryClient()
  const say = useText()
  return useMutation<Answer, AdminError, Input>({
    mutationFn: (input) => {
      const options: Request = {
        method,
        query: { ...query?.(input), ...tenant },
        body: body?.(input),
        file: file?.(input),
      }
      return request<Answer>(path(input), options)
    },
    onSuccess: (answer) => {
      void client.invalidateQueries({ queryKey: ["gateway"] })
      if (done !== undefined) {
        toast.success(done(answer))
      }
      onDone?.(answer)
    },
    onError: (error) => {
      if (!hasForm || error.faults === undefined || error.faults.length === 0) {
        toast.error(say("common.failed"), { description: error.message })
      }
    },
  })
}

/** Downloads a file of the chosen merchant and environment. */
export function useDownload() {
  const { tenant } = useTenant()
  const say = useText()
  return useMutation<void, AdminError, { path: string; query?: Query }>({
    mutationFn: ({ path, query }) => download(path, { ...query, ...tenant }),
    onError: (error) => {
      if (error.faults === undefined || error.faults.length === 0) {
        toast.error(say("common.failed"), { description: error.message })
      }
    },
  })
}
