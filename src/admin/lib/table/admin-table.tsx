import { clx, Container, DataTable, Heading, Text, useDataTable, type DataTableFilter } from "@medusajs/ui"
import { useEffect, useRef, type ReactNode } from "react"
import { useAdminQuery } from "../data"
import { useFormats } from "../format"
import type { Query } from "../http"
import { useText } from "../text"
import { ErrorState, NotRefreshed } from "../ui/section"
import { ExportButton, Pages, TableTotals, type TotalLabels } from "./parts"
import { openRow, PhoneRows, useIsNarrow } from "./rows"
import { useTableState, type TableState } from "./url-state"

type Columns<Row> = Parameters<typeof useDataTable<Row>>[0]["columns"]
type ListAnswer<Row> = { count: number; count_is_exact: boolean } & Record<string, Row[]>

type Props<Row> = {
  /** Below /admin/gateway. */
  path: string
  /** The member of the response that contains the rows. */
  rows: string
  columns: Columns<Row>
  filters?: DataTableFilter[]
  heading: string
  description: string
  /** The placeholder of the search field; absent: no search. */
  searchFor?: string
  /** A filter that the table's menu cannot offer. */
  field?: ReactNode
  empty: { heading: string; description: string }
  actions?: ReactNode
  /** Filters that the page itself sets. */
  fixed?: Query
  level?: "h1" | "h2"
  /** With several tables on a page: the prefix of this table's state in the address. */
  prefix?: string
  /** On a phone: the columns that come first, in pairs, such as the customer and the amount, then the state. */
  phone?: readonly string[]
  /** The amounts of the list that add up; absent: none do, such as prices for different periods. */
  totals?: TotalLabels
}

const PAGE_SIZE = 20
const NO_FILTERS: DataTableFilter[] = []
const NO_COLUMNS: readonly string[] = []

/** Gives icon-only menu buttons, which have no prop for a name, a label for screen readers. */
const Named = ({ name, children }: { name: string; children: ReactNode }) => (
  <span className="contents" ref={(node) => node?.querySelector("button")?.setAttribute("aria-label", name)}>
    {children}
  </span>
)

/**
 * Labels the filter bar: its remove buttons show only a cross and have no name, and the word between a filter and its
 * value is English in every language.
 */
const FilterBarTexts = ({ cross, is, children }: { cross: string; is: string; children: ReactNode }) => {
  const box = useRef<HTMLDivElement>(null)
  const say = useText()
  useOptionSearch(say("table.search_options"), say("table.nothing"))
  useEffect(() => {
    // A select has a label of its own, and its text only after this.
    for (const button of box.current?.querySelectorAll("button:not([aria-label], [role=combobox])") ?? []) {
      if (button.textContent === "") {
        button.setAttribute("aria-label", cross)
      }
    }
    for (const word of box.current?.querySelectorAll<HTMLElement>("div.border-r") ?? []) {
      if (word.firstChild !== null && (word.dataset.word === "is" || word.textContent === "is")) {
        word.dataset.word = "is"
        word.firstChild.nodeValue = is
      }
    }
  })
  return (
    <div className="contents" ref={box}>
      {children}
    </div>
  )
}

/** What Medusa shows of a filter that is opened, which it appends to the body. */
const OPENED_FILTER = "[data-radix-popper-content-wrapper] [role=dialog]"

/** Says what the search above a filter's options says in the admin's language: its words are English in every one. */
function useOptionSearch(search: string, none: string): void {
  useEffect(() => {
    const translate = () => {
      for (const field of document.querySelectorAll<HTMLInputElement>(
        `${OPENED_FILTER} input[placeholder="Search..."]`
      )) {
        field.placeholder = search
        field.setAttribute("aria-label", search)
      }
      for (const box of document.querySelectorAll(`${OPENED_FILTER} div.py-6`)) {
        if (box.textContent === "No results found") {
          box.textContent = none
        }
      }
    }
    const observer = new MutationObserver(translate)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [search, none])
}

/** Goes to the last page from one past the end, such as of an old link; `shown`: the number of its rows. */
function useExistingPage({ pagination, redirectToPage }: TableState, shown: number | undefined, count: number): void {
  const last = Math.max(0, Math.ceil(count / PAGE_SIZE) - 1)
  const isPastTheEnd = shown === 0 && pagination.pageIndex > last
  useEffect(() => {
    if (isPastTheEnd) {
      redirectToPage(last)
    }
  }, [isPastTheEnd, last, redirectToPage])
}

/** A list that the server pages, searches, filters and sorts, with its state in the address. */
export function AdminTable<Row extends { id: string }>(props: Props<Row>) {
  const { path, rows, columns, filters = NO_FILTERS, searchFor, empty, fixed, prefix, totals, phone } = props
  const say = useText()
  const { number } = useFormats()
  const isNarrow = useIsNarrow()
  const canSort = columns.some(({ enableSorting }) => enableSorting === true)
  const state = useTableState(filters, PAGE_SIZE, prefix)
  const query = { ...state.query, ...fixed }
  const { data, error, isPending, isPlaceholderData, refetch } = useAdminQuery<ListAnswer<Row>>(path, query)
  useExistingPage(state, isPlaceholderData ? undefined : data?.[rows].length, data?.count ?? 0)
  const instance = useDataTable<Row>({
    data: data?.[rows] ?? [],
    columns,
    filters,
    getRowId: ({ id }) => id,
    rowCount: data?.count ?? 0,
    isLoading: isPending,
    onRowClick: openRow,
    // The address handles this: of two changes of it at the same time, one would be lost.
    autoResetPageIndex: false,
    pagination: { state: state.pagination, onPaginationChange: state.setPagination },
    filtering: filters.length === 0 ? undefined : { state: state.filtering, onFilteringChange: state.setFiltering },
    sorting: canSort ? { state: state.sorting, onSortingChange: state.setSorting } : undefined,
    search: searchFor === undefined ? undefined : { state: state.search, onSearchChange: state.setSearch },
  })
  const nothing = { heading: say("table.nothing"), description: say("table.nothing_hint") }
  return (
    <Container className="overflow-hidden p-0">
      <DataTable instance={instance}>
        <FilterBarTexts cross={say("table.take_away")} is={say("table.is")}>
          <Toolbar {...props} canFilter={filters.length > 0} canSort={canSort} query={query} />
        </FilterBarTexts>
        <Rows error={error} isLoaded={data !== undefined} isOld={isPlaceholderData} retry={() => void refetch()}>
          {isNarrow ? (
            <PhoneRows
              table={instance}
              label={props.heading}
              first={phone ?? NO_COLUMNS}
              loading={isPending}
              empty={state.isFiltered ? nothing : empty}
            />
          ) : (
            // Narrower gaps than Medusa's: the last column must not be cut at 1280 pixels.
            <div className="contents max-2xl:[&_td]:pr-3 max-2xl:[&_th]:pr-3 [&_tr:not(:has(a[href*='/gateway/'],[data-opens-row]))]:cursor-default">
              <DataTable.Table emptyState={{ empty, filtered: nothing }} />
            </div>
          )}
        </Rows>
        {data?.count_is_exact === false && (
          <Text size="small" className="text-ui-fg-subtle border-t px-6 py-3">
            {say("table.bounded", { rows: number(data.count) })}
          </Text>
        )}
        {totals !== undefined && <TableTotals path={path} query={query} labels={totals} of={prefix && props.heading} />}
        <Pages
          index={state.pagination.pageIndex}
          size={PAGE_SIZE}
          count={data?.count ?? 0}
          onChange={(pageIndex) => state.setPagination({ pageIndex, pageSize: PAGE_SIZE })}
        />
      </DataTable>
    </Container>
  )
}

type RowsProps = { error: Error | null; isLoaded: boolean; isOld: boolean; retry: () => void; children: ReactNode }

/** The rows, or why there are none; `isOld`: they are those of the query before, until the answer comes. */
const Rows = ({ error, isLoaded, isOld, retry, children }: RowsProps) => {
  if (error !== null && !isLoaded) {
    return <ErrorState error={error} retry={retry} />
  }
  return (
    <>
      {error !== null && (
        <div className="border-t px-6 py-3">
          <NotRefreshed error={error} retry={retry} />
        </div>
      )}
      <div aria-busy={isOld} className={clx("flex min-h-0 flex-1 flex-col", isOld && "opacity-50")}>
        {children}
      </div>
    </>
  )
}

type ToolbarProps = Pick<
  Props<never>,
  "path" | "heading" | "description" | "searchFor" | "field" | "actions" | "level"
> & {
  canFilter: boolean
  canSort: boolean
  query: Query
}

const Toolbar = ({
  path,
  query,
  heading,
  description,
  searchFor,
  field,
  actions,
  level = "h1",
  canFilter,
  canSort,
}: ToolbarProps) => {
  const say = useText()
  return (
    <DataTable.Toolbar
      className="flex flex-col items-start justify-between gap-3 md:flex-row md:items-center"
      translations={{ clearAll: say("table.clear"), sort: say("table.sort") }}
    >
      <div className="min-w-0">
        <Heading level={level}>{heading}</Heading>
        <Text size="small" className="text-ui-fg-subtle">
          {description}
        </Text>
      </div>
      <div className="flex w-full flex-wrap items-center gap-2 md:w-auto md:justify-end">
        {searchFor !== undefined && (
          <div className="w-full sm:w-64">
            <DataTable.Search placeholder={searchFor} />
          </div>
        )}
        {field !== undefined && <div className="w-full sm:w-64">{field}</div>}
        {canFilter && (
          <Named name={say("table.filter")}>
            <DataTable.FilterMenu tooltip={say("table.filter")} />
          </Named>
        )}
        {canSort && (
          <Named name={say("table.sort")}>
            <DataTable.SortingMenu tooltip={say("table.sort")} />
          </Named>
        )}
        <ExportButton path={path} query={query} />
        {actions}
      </div>
    </DataTable.Toolbar>
  )
}
