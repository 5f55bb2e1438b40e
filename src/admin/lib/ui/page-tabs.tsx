import { clx } from "@medusajs/ui"
import { NavLink } from "react-router-dom"

type Props = { label: string; tabs: readonly { to: string; name: string; end?: boolean }[] }

/** Tabs between pages that belong together. On a phone they wrap: one that is scrolled out of sight is not found. */
export const PageTabs = ({ label, tabs }: Props) => (
  <nav aria-label={label} className="flex flex-wrap gap-1">
    {tabs.map(({ to, name, end }) => (
      <NavLink
        key={to}
        to={to}
        end={end}
        className={({ isActive }) =>
          clx("txt-compact-small-plus shrink-0 rounded-full px-3 py-1.5", {
            "bg-ui-bg-base text-ui-fg-base shadow-elevation-card-rest": isActive,
            "text-ui-fg-subtle hover:text-ui-fg-base": !isActive,
          })
        }
      >
        {name}
      </NavLink>
    ))}
  </nav>
)
