"""The vendor audit: what can be proven against what a vendor delivered. No step before it may import this package."""

from s2r.vendor.feed import read_feed
from s2r.vendor.reconcile import Reconciliation, reconcile
from s2r.vendor.types import CHALLENGED, Comparison, Feed, Kind, Quote, Says, VendorRow

__all__ = ["CHALLENGED", "Comparison", "Feed", "Kind", "Quote", "Reconciliation", "Says", "VendorRow", "read_feed", "reconcile"]
