import type {
  DataTableFilter,
  DataTableFilteringState,
  DataTablePaginationState,
  DataTableSortingState,
} from "@medusajs/ui"
import { useMemo, useState } from "react"
import { useSearchParams } from "react-router-dom"
import { useTimeZone } from "../admin-api"
import type { Query } from "../http"
import { periodOf, rangeOf, type DateRange } from "./presets"

export type TableState = {
  search: string
  /** With the filters whose choice is still open, which have no value yet and are not in the address. */
  filtering: DataTableFilteringState
  isFiltered: boolean
  sorting: DataTableSortingState | null
  pagination: DataTablePaginationState
  /** The API's query. */
  query: Query
  setSearch(q: string): void
  setFiltering(filters: DataTableFilteringState): void
  setSorting(sorting: DataTableSortingState): void
  setPagination(pagination: DataTablePaginationState): void
  /** Replaces the address, so that Back does not lead to the page that is left. */
  redirectToPage(pageIndex: number): void
}

/**
 * Keeps a table's state in the address: it survives a reload, and a link shows the same rows. Each of several tables on
 * a page has its own `prefix`.
 */
export function useTableState(filters: readonly DataTableFilter[], pageSize: number, prefix = ""): TableState {
  const [params, setParams] = useSearchParams()
  const [opened, setOpened] = useState<DataTableFilteringState>({})
  const zone = useTimeZone()
  return useMemo(() => {
    const read = (name: string) => params.get(prefix + name) ?? undefined
    const chosen = readFilters(filters, read, zone)
    const search = read("q") ?? ""
    const offset = Number(read("offset") ?? 0) || 0
    const order = read("order")
    const offsetOf = (pageIndex: number) => (pageIndex === 0 ? undefined : String(pageIndex * pageSize))
    const write = (change: Record<string, string | undefined>, replace = false) => {
      const edited = (before: URLSearchParams) => {
        const after = new URLSearchParams(before)
        // Every change of the query returns to the first page.
        for (const [name, value] of Object.entries({ offset: undefined, ...change })) {
          if (value === undefined || value === "") {
            after.delete(prefix + name)
          } else {
            after.set(prefix + name, value)
          }
        }
        return after
      }
      setParams(edited, { replace })
    }
    return {
      search,
      filtering: { ...opened, ...chosen },
      isFiltered: search !== "" || Object.keys(chosen).length > 0,
      sorting: order === undefined ? null : { id: order.replace("-", ""), desc: order.startsWith("-") },
      pagination: { pageIndex: Math.floor(offset / pageSize), pageSize },
      query: { ...namedQuery(filters, read), q: read("q"), order, offset, limit: pageSize },
      setSearch: (q) => write({ q }),
      setFiltering: (state) => {
        const isOpened = Object.keys(state).some((id) => isEmpty(state[id]) && !(id in opened) && !(id in chosen))
        setOpened(Object.fromEntries(Object.entries(state).filter(([, value]) => isEmpty(value))))
        // A filter that was only opened changes no rows.
        if (!isOpened) {
          write(writeFilters(filters, state, zone))
        }
      },
      setSorting: (sorting) => write({ order: sorting && `${sorting.desc ? "-" : ""}${sorting.id}` }),
      setPagination: ({ pageIndex }) => write({ offset: offsetOf(pageIndex) }),
      redirectToPage: (pageIndex) => write({ offset: offsetOf(pageIndex) }, true),
    }
  }, [params, setParams, filters, pageSize, prefix, opened, zone])
}

/** What a filter of the table's menu begins with. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)
}

/** A further filter in the address, for a choice that the table's menu cannot offer. */
export function useAddressFilter(name: string): [value: string | null, set: (value: string | null) => void] {
  const [params, setParams] = useSearchParams()
  const set = (value: string | null) =>
    setParams((before) => {
      const after = new URLSearchParams(before)
      after.delete("offset")
      if (value === null) {
        after.delete(name)
      } else {
        after.set(name, value)
      }
      return after
    })
  return [params.get(name), set]
}

/** A date filter is `from` and `to`, both in the address and in the API's query. */
function presetsOf(filter: DataTableFilter): DateRange[] {
  return filter.type === "date" ? filter.options.map(({ value }) => value as DateRange) : []
}

type Read = (name: string) => string | undefined

function readFilters(filters: readonly DataTableFilter[], read: Read, zone: string): DataTableFilteringState {
  const state: DataTableFilteringState = {}
  for (const filter of filters) {
    const { id, type } = filter
    const value = read(id)
    if (type === "date") {
      const range = rangeOf({ from: read("from"), to: read("to") }, presetsOf(filter), zone)
      if (range.$gte !== undefined || range.$lte !== undefined) {
        state[id] = range
      }
    } else if (value !== undefined) {
      state[id] = type === "select" ? value.split(",") : value
    }
  }
  return state
}

function namedQuery(filters: readonly DataTableFilter[], read: Read): Record<string, string | undefined> {
  const names = filters.flatMap(({ id, type }) => (type === "date" ? ["from", "to"] : [id]))
  return Object.fromEntries(names.map((name) => [name, read(name)]))
}

function writeFilters(
  filters: readonly DataTableFilter[],
  state: DataTableFilteringState,
  zone: string
): Record<string, string | undefined> {
  const change: Record<string, string | undefined> = {}
  for (const filter of filters) {
    const { id, type } = filter
    const value = state[id]
    if (type === "date") {
      const period = periodOf((value ?? {}) as DateRange, presetsOf(filter), zone)
      Object.assign(change, { from: undefined, to: undefined }, period)
    } else {
      change[id] = Array.isArray(value) ? value.join(",") : typeof value === "string" ? value : undefined
    }
  }
  return change
}
