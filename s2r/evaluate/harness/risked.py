"""Records of an arm under a fitted risk model: the risks that it estimates, and the route that the tables give with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from s2r.errors import ConfigError
from s2r.models import Record
from s2r.policy import Policy, RouteRule
from s2r.risk.model import RiskModel, opinion
from s2r.route import route_record


def risked(
    arm: str, records: Iterable[Record], model: RiskModel, policy: Policy, first: Callable[[], Sequence[RouteRule]]
) -> Iterator[Record]:
    """The records as a run with `model` would have left them, whatever model they were made with; the rules that `first` gives go before
    those of the policy where a model was asked. Answers of an adjudicator that the model was not fitted on get no risk and are not
    accepted.

    Raises ConfigError for a record of another policy.
    """
    for record in records:
        if record.policy != policy.policy_id:
            problem = f"the record of row {record.row_id!r} was made under {record.policy}, the risk model is for {policy.policy_id}"
            raise ConfigError(problem, subject=arm, advice="Leave --risk out, or audit the arm again under this policy.")
        said = opinion(model, record)
        asked = first() if record.adjudication else ()
        decided, reasons = route_record(policy, record, risk=said.risks or {}, risk_within=said.within, first=asked)
        told = (said.sentence,) if said.sentence else ()
        changes = {"risk": said.risks, "risk_model": model.model_id, "route": decided, "route_reasons": (*reasons, *told)}
        yield record.model_copy(update=changes)
