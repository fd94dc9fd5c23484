"""How often a password may be tried: per account and per address, kept in the database, so that a restart forgets nothing."""

from __future__ import annotations

import datetime as dt
import ipaddress

from s2r.access.store import AccessStore

WINDOW = dt.timedelta(minutes=15)
PER_ACCOUNT = 8  # failures in a window
PER_ADDRESS = 30  # failures in a window, over all accounts; offices share an address


class Attempts:
    """Attempts to log in that failed lately. One is noted before the password is looked at, so that parallel ones all count."""

    def __init__(self, store: AccessStore) -> None:
        self._store = store

    def begin(self, account: str, address: str, now: dt.datetime) -> int:
        """Note an attempt; return for how many seconds no more may be made, 0 when this one may go on."""
        keys = _keys(account, address)
        since = (now - WINDOW).isoformat()
        with self._store.writing():
            self._store.run("delete from attempt where at < ?", (since,))
            for key, most in keys.items():
                times = [str(row["at"]) for row in self._store.rows("select at from attempt where key = ? order by at desc", [key])]
                if len(times) >= most:
                    free = dt.datetime.fromisoformat(times[most - 1]) + WINDOW
                    return max(1, round((free - now).total_seconds()))
            for key in keys:
                self._store.run("insert into attempt (key, at) values (?, ?)", (key, now.isoformat()))
        return 0

    def succeeded(self, account: str, address: str) -> None:
        """Forget what was counted against an account, and the last attempt of its address."""
        first, second = _keys(account, address)
        self._store.run("delete from attempt where key = ?", (first,))
        self._store.run("delete from attempt where id = (select max(id) from attempt where key = ?)", (second,))


def _keys(account: str, address: str) -> dict[str, int]:
    return {f"account {account.casefold()[:100]}": PER_ACCOUNT, f"address {network(address)}": PER_ADDRESS}


def network(address: str) -> str:
    """The address that attempts are counted by: of IPv6 the /64, which is one customer's to change within."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address[:100]
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((int(found), 64), strict=False).network_address)
    return str(found)
